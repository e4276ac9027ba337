/** The room of one table: follows its stream, draws the viewer's view, and sends the player's actions. */
import { html, nothing, render } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { api } from '../kit/api.js';
import { revealSeeds } from '../kit/seeds.js';
import { later, withStyles } from './later.js';
import { session } from '../kit/session.js';
import { follow, synchronise } from '../kit/stream.js';
import { failure, loading, setTitle } from '../kit/words.js';
import { gameInfo, titleOf } from '../kit/games.js';
import { Choices } from './choices.js';
import { felt, moveFocus } from './scene/felt.js';
import { fly, measured, settle } from './scene/flights.js';
import { History } from './sidebar/history.js';
import { Misclicks } from './misclicks.js';
import { promptOf } from './prompt.js';
import { prepare, sceneOf, seatOf } from './scene/scene.js';
import { announcement, picking } from './scene/speech.js';
import { menu, sides } from './sidebar/sides.js';
import { suspenseOf } from './suspense.js';

// Not needed to show the first card.
const ROOM = () => withStyles(import('./opening/room.js'));
const INVITATION = () => withStyles(import('./opening/invite.js'));
const HINT = () => import('./hint.js');
const COUNT = () => withStyles(import('./count.js'));
const OUTCOME = () => withStyles(import('./outcome.js'));
const TAKE_BACK = () => import('./take_back.js');
const MOMENTS = () => import('./scene/moments.js');
const CELEBRATION = () => withStyles(import('./celebration.js'));
const SAYINGS = () => withStyles(import('./company/sayings.js'));
const TERMS = () => import('./scene/terms.js');
const LESSON = () => withStyles(import('./lessons/lesson.js'));

/** How long to wait for the stream to confirm an action before the answer itself is drawn. */
const STREAM_LAG_MS = 1500;

class Table extends Room {
  #drawn;

  #prepared = null;

  message = null;

  connection = 'connecting';

  problem = null;

  refusal = null;

  reason = '';

  /** The action on its way: `until` is the version that will show it, once the service has answered. */
  sending = null;

  spoken = '';

  choices = null;

  /** With *confirm moves*: the body of the button that was pressed once. */
  unconfirmed = '';

  #misclicks = new Misclicks(this);

  /** The version of the closed count. */
  closedCount = 0;

  /** What a count has still to show, or null. */
  suspense = null;

  isMenuOpen = false;

  /** The seats of people who have the table open; null while it is not known. */
  present = null;

  /** What players have just said, by seat. */
  bubbles = {};

  enter() {
    this.id = this.getAttribute('table');
    this.isLesson = new URLSearchParams(location.search).has('learn');
    this.whenLeaving(() => this.close?.());
    this.listen(session, 'change', () => {
      if (session.player?.id !== this.player) this.#follow();
      else this.update();
    });
    this.listen(document, 'visibilitychange', () => this.#rest());
    this.listen(this, 'keydown', (event) => moveFocus(this, event));
    if (this.isLesson) later(LESSON, () => this.update());
    this.#follow();
    this.#rest(5000); // opened in the background, perhaps together with many others
  }

  // Starts from scratch: another player's view must not remain on the page.
  #follow() {
    this.player = session.player?.id;
    this.close?.();
    this.isOver = false;
    this.history = new History(this.id, () => this.update());
    this.set({
      message: null, scene: null, choices: null, suspense: null, sending: null, problem: null, refusal: null, reason: '', spoken: '' });
    const { history } = this;
    this.close = follow(`/v1/tables/${this.id}/events`, {
      query: { with: 'view', include: 'words,company' },
      onMessages: (messages) => this.#hear(messages, history),
      onState: (connection) => this.#connect(connection),
      onProblem: (problem) => this.set({ problem }),
    });
  }

  // Browsers open at most six connections to a host, so a hidden tab gives its stream up.
  #rest(ms = 60_000) {
    clearTimeout(this.resting);
    if (!document.hidden) {
      if (!this.close) this.#follow();
      return;
    }
    this.resting = setTimeout(() => { this.close?.(); this.close = null; }, ms);
  }

  async #hear(messages, history) {
    // Before the first await, because the stream may close right after.
    if (messages.some(({ type }) => type === 'end')) this.isOver = true;
    const game = messages.findLast(({ data }) => data.view)?.data.view.game;
    // What needs no game, such as who is there, must not overtake older messages that wait for its description.
    if (game) this.#prepared = prepare(game);
    await this.#prepared;
    if (history !== this.history) return; // another player has signed in meanwhile
    for (const { type, data } of messages) {
      if (type === 'reset') {
        this.history.clear();
        this.message = null;
      } else if (type === 'presence') this.present = data.seats;
      else if (type === 'said') SAYINGS().then(({ hear }) => hear(this, data), () => {});
      else if (type === 'snapshot' || type === 'view') this.#apply(data);
    }
    this.update();
  }

  // After the end the stream stays open for a rematch; when it closes, nothing more will come.
  #connect(connection) {
    if (connection === 'open' && !this.refusal?.status) this.refusal = null; // that the service did not answer
    if (this.isOver && connection === 'lost') this.close();
    // Without a connection nobody knows who is there.
    else this.set(connection === 'open' ? { connection } : { connection, present: null });
  }

  #apply(message) {
    const { version } = message;
    // The answer to a command may arrive before messages that were sent before it.
    if (this.message && version < this.message.version) return;
    synchronise(message.now);
    this.cameLate = (!this.message || this.cameLate) && message.view.phase === 'ended';
    this.history.add(message.events ?? []);
    const earlier = this.message;
    this.message = message;
    this.suspense = suspenseOf(earlier?.view, message, this.suspense);
    if (this.sending?.until && this.sending.until <= version) this.sending = null;
    this.#choose();
    this.#speak(message.events);
    if (earlier) this.#celebrate(message.events, earlier.view);
    const { view } = message;
    setTitle(`${titleOf(view.game)}${view.waiting?.seats?.includes(seatOf(view)) ? ' – your turn' : ''}`);

    if (view.phase === 'playing' && session.player) revealSeeds(api, view, session.player.id, message.head);
    if (!this.info) gameInfo(view.game).then((info) => this.set({ info }), () => {});
  }

  /** The view to draw. */
  get shown() {
    const { view } = this.message;
    return this.suspense?.table(view) ?? view;
  }

  #told(events = []) {
    return this.suspense?.told(events) ?? events;
  }

  #speak(events) {
    this.spoken = announcement({ view: this.shown, events: this.#told(events) }, this.scene, this.choices) || this.spoken;
  }

  async #celebrate(events, before) {
    const news = [this.#told(events), before, this.message.view];
    const moments = (await MOMENTS().catch(() => null))?.momentsOf(...news) ?? [];
    if (moments.length) CELEBRATION().then(({ celebrate }) => celebrate(this, moments), () => {});
  }

  // The step of the count that is shown, or null if all are.
  #followCount(step) {
    if (!step) this.#misclicks.changed();
    if (!this.suspense) return;
    const told = this.suspense.upTo;
    const before = this.shown;
    if (step) this.suspense.show(step);
    else this.suspense = null;
    this.scene = sceneOf(this.shown);
    const news = this.history.events.filter(({ version }) => version > told);
    this.#speak(news);
    this.#celebrate(news, before);
    this.update();
  }

  #choose() {
    const { view, legal_actions: legal } = this.message;
    const earlier = this.choices;
    this.scene = sceneOf(this.shown);
    this.choices = legal && new Choices(view, this.scene, legal);
    if (earlier && this.choices) this.choices.resume(earlier);
    this.reason = '';
    this.unconfirmed = '';
  }

  #pick(place) {
    if (this.sending || !this.choices) return;
    this.reason = this.choices.reasons.get(place) ?? '';
    this.refusal = null;
    this.unconfirmed = '';
    const body = this.choices.pick(place);
    if (body && !session.preferences.confirm) this.#send(body);
    else this.set({ spoken: this.reason || picking(this.message.view, this.choices) });
  }

  // A double click plays the card alone, where that is possible.
  #play(place) {
    if (!this.choices || this.sending) return;
    this.choices.picked = [];
    const body = this.choices.pick(place) ?? (this.choices.buttons.length === 1 ? this.choices.buttons[0].body : null);
    if (body && !session.preferences.confirm) this.#send(body);
    else this.update();
  }

  // With *confirm moves*, picking the cards was the first step; a button that needs none is pressed twice.
  #press(body) {
    const pressed = JSON.stringify(body);
    const isSure = !session.preferences.confirm || this.choices.picked.length || pressed === this.unconfirmed;
    if (isSure) this.#send(body);
    else this.set({ unconfirmed: pressed });
  }

  #send(body) {
    const { version, view } = this.message;
    // If several players act at the same time, the others' actions do not change this player's choices.
    const expected = view.view.to_move === null ? {} : { expected_version: version };
    return this.#command('actions', { ...body, ...expected });
  }

  async #command(path, body) {
    const sent = { until: null };
    this.#misclicks.changed();
    this.set({ sending: sent, refusal: null, reason: '' });
    try {
      const answer = await api.post(`/v1/tables/${this.id}/${path}?include=legal_actions`, body);
      sent.until = answer.version;
      if (this.message?.version >= answer.version) this.set({ sending: null });
      // The stream brings the same with its sentences; the answer itself is drawn only if the stream is interrupted.
      else setTimeout(() => { if (this.sending === sent) { this.#apply(answer); this.update(); } }, STREAM_LAG_MS);
    } catch (problem) {
      this.set({ sending: null, refusal: problem });
    }
  }

  draw() {
    // Only new events animate cards; other redraws, such as for a picked card, do not.
    const drawn = this.message && `${this.message.version} ${this.suspense?.upTo}`;
    const isNews = drawn !== this.#drawn;
    this.#drawn = drawn;
    const before = isNews ? measured(this) : null;
    const focused = document.activeElement?.closest?.('[data-place]')?.dataset.place;
    render(this.template(), this);
    if (before) fly(this, before, this.history.latest);
    settle(this);
    if (isNews) this.#misclicks.changed();
    this.#keepFocus(focused);
  }

  // A played card's button disappears; without this, the focus would be lost.
  #keepFocus(place) {
    if (!place || this.contains(document.activeElement)) return;
    const next = this.querySelector(`button[data-place="${CSS.escape(place)}"]`) ?? this.querySelector('.prompt');
    next?.focus({ preventScroll: true });
  }

  template() {
    if (this.problem) return this.#refused();
    if (!this.message) return html`<h1 class="unseen">Table</h1>${loading('Loading the table')}`;
    const { view } = this.message;
    return html`
      <h1 class="unseen">${titleOf(view.game)}, table ${this.id}</h1>
      ${this.connection === 'lost' ? html`<p class="offline" role="status">The connection was lost; trying again …</p>` : nothing}
      <p class="unseen" role="status" aria-live="polite" data-spoken>${this.spoken}</p>
      ${view.phase === 'open' ? this.#room(view) : this.#board(view)}`;
  }

  #room(view) {
    return later(ROOM, () => this.update()) ? html`<hw-open-table .table=${view}></hw-open-table>` : loading();
  }

  #board(view) {
    const { shown } = this;
    const events = this.#told(this.history.events);
    return html`
      <div class="table-room">
        <div class="board">
          ${felt(shown, {
    scene: this.scene,
    present: this.present,
    bubbles: this.bubbles,
    explain: (text) => this.#explain(text, true),
    choices: this.sending ? null : this.choices,
    onPick: (place) => this.#pick(place),
    onPlay: (place) => this.#play(place),
    outcome: view.phase === 'ended' ? this.#outcome(view) : nothing,
    more: html`<span class="links">${isAmongPeople(view) ? html`<button class="plain say" @click=${() => this.#say()}>Say …</button>` : nothing}
      <button class="plain sidebar-link" @click=${() => this.#showCrib()}>In short</button>
      <a class="sidebar-link" href="#sidebar">More <span aria-hidden="true">↓</span></a></span>`,
    prompt: view.phase === 'ended' ? html`<div class="prompt"></div>` : promptOf({
      view,
      choices: this.choices,
      info: this.info,
      explain: (text) => this.#explain(text, false),
      sending: Boolean(this.sending),
      refusal: this.refusal,
      reason: this.reason,
      unconfirmed: this.unconfirmed,
      send: (body) => this.#press(body),
      more: [
        view.take_back ? later(TAKE_BACK, () => this.update())?.takeBackButton(view, () => this.#command('take-back'), () => this.update()) : nothing,
        this.#hint(view),
      ],
      redraw: () => this.update(),
      ready: () => this.ready(),
    }),
  })}
          ${this.#count(view)}
        </div>
        <aside class="sidebar" id="sidebar" aria-label="About the table">
          ${this.isLesson ? html`<hw-lesson .table=${shown} .legal=${this.message.legal_actions} .events=${events}></hw-lesson>` : nothing}
          ${menu(view, this)}
          ${sides(shown, { events, isLoaded: this.history.isLoaded }, this.info, () => this.update())}
        </aside>
      </div>`;
  }

  async #say() {
    (await SAYINGS()).chooseSaying(this);
  }

  #explain(text, isHidden) {
    return (this.info && later(TERMS, () => this.update())?.withTerms(text, this.info, isHidden)) ?? text;
  }

  async #showCrib() {
    const { game, options } = this.message.view;
    const [{ showCrib }, info] = await Promise.all([import('./sidebar/crib.js'), gameInfo(game)]);
    showCrib(info, options);
  }

  // Only against bots alone, where nothing counts; a lesson has hints of its own. Where all act at once, a hint stays.
  #hint({ rated, tournament, seats, ...view }) {
    if (rated || tournament || this.isLesson || !seats[this.choices?.seat]?.owes || seats.filter(({ policy }) => !policy).length > 1) return nothing;
    const moment = view.view.to_move === null ? `round ${view.round}` : view.version;
    if (this.hinted !== moment) return html`<button @click=${() => this.set({ hinted: moment })}>Hint</button>`;
    return later(HINT, () => this.update()) && html`<hw-hint .table=${view}></hw-hint>`;
  }

  #outcome(view) {
    return later(OUTCOME, () => this.update())
      && html`<div class="over-felt"><hw-outcome .events=${this.history.events} .table=${view}></hw-outcome></div>`;
  }

  // A viewer who comes after the end wants to see the outcome.
  #count(view) {
    const scored = view.stage === 'in_play' ? undefined
      : this.history.events.findLast(({ type, data }) => type === 'table.round_scored' && data.round === view.round)?.version;
    if (!scored || !this.history.isLoaded || this.closedCount === scored || this.cameLate) return nothing;
    return later(COUNT, () => this.update())?.counting(this, view, (step) => this.#followCount(step));
  }

  ready() {
    return api.post(`/v1/tables/${this.id}/ready`).catch((refusal) => this.set({ refusal }));
  }

  #refused() {
    // The words tell: no invitation shows a table whose deal others still play.
    const isPrivate = this.problem.detail.includes('invitation');
    if (isPrivate && !later(INVITATION, () => this.update())) return loading();
    return html`
      <section class="page"><h1>Table ${this.id}</h1>
        ${isPrivate ? html`<hw-uninvited table=${this.id} @invited=${() => this.#follow()}></hw-uninvited>`
    : failure(this.problem, () => this.#follow())}
        <p><a href="/tables">Other tables</a></p>
      </section>`;
  }
}

/** Whether the viewer sits with other people. */
const isAmongPeople = (view) => seatOf(view) !== null && view.seats.filter(({ policy }) => !policy).length > 1;

customElements.define('hw-table', Table);
