/** The room of one table: follows its stream, draws the viewer's view, and sends the player's actions. */
import { html, nothing, render } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { api } from '../kit/api.js';
import { revealSeeds } from '../kit/seeds.js';
import { later } from '../kit/later.js';
import { session } from '../kit/session.js';
import { follow } from '../kit/stream.js';
import { synchronise } from '../kit/time.js';
import { entitle, failure, loading } from '../kit/words.js';
import { gameInfo, titleOf } from '../kit/games.js';
import { Choices } from './choices.js';
import { withStyles } from './with_styles.js';
import { felt } from './scene/felt.js';
import { fly, measured } from './scene/flights.js';
import { History } from './history.js';
import { isAwaited, promptOf } from './prompt.js';
import { prepare, sceneOf, seatOf } from './scene/scene.js';
import { announcement, picking } from './scene/speech.js';
import { sides } from './sides.js';

// Not needed to show the first card.
const ROOM = () => withStyles(import('./opening/room.js'));
const INVITATION = () => withStyles(import('./opening/invite.js'));
const MENU = () => withStyles(import('./menu.js'));
const COUNT = () => withStyles(import('./count.js'));
const OUTCOME = () => withStyles(import('./outcome.js'));
const LESSON = () => import('./lessons/lesson.js');

/** A list scrolled this close to its end still follows new sentences. */
const LINE_PX = 24;

/** How long to wait for the stream to confirm an action before the answer itself is drawn. */
const STREAM_LAG_MS = 1500;

class Table extends Room {
  #drawn;

  message = null;

  connection = 'connecting';

  problem = null;

  refusal = null;

  reason = '';

  /** The action on its way: `until` is the version that will show it, once the service has answered. */
  sending = null;

  spoken = '';

  choices = null;

  /** The version of the closed count. */
  closedCount = 0;

  isMenuOpen = false;

  enter() {
    this.id = this.getAttribute('table');
    this.isLesson = new URLSearchParams(location.search).has('learn');
    this.whenLeaving(() => this.close?.());
    this.listen(session, 'change', () => {
      if (session.player?.id !== this.player) this.#follow();
      else this.update();
    });
    this.listen(document, 'visibilitychange', () => this.#rest());
    this.listen(this, 'keydown', (event) => this.#key(event));
    if (this.isLesson) later(LESSON, () => this.update());
    this.#follow();
  }

  // Starts from scratch: another player's view must not remain on the page.
  #follow() {
    this.player = session.player?.id;
    this.close?.();
    this.isOver = false;
    this.history = new History(this.id, () => this.update());
    this.set({
      message: null, scene: null, choices: null, sending: null, problem: null, refusal: null, reason: '', spoken: '' });
    const { history } = this;
    this.close = follow(`/v1/tables/${this.id}/events`, {
      query: { with: 'view', include: 'words' },
      onMessages: (messages) => this.#hear(messages, history),
      onState: (connection) => this.#connect(connection),
      onProblem: (problem) => this.set({ problem }),
    });
  }

  // Browsers open at most six connections to a host, so a hidden tab gives its stream up.
  #rest() {
    clearTimeout(this.resting);
    if (!document.hidden) {
      if (!this.close) this.#follow();
      return;
    }
    this.resting = setTimeout(() => { this.close?.(); this.close = null; }, 60_000);
  }

  async #hear(messages, history) {
    // Before the first await, because the stream may close right after.
    if (messages.some(({ type }) => type === 'end')) this.isOver = true;
    const game = messages.findLast(({ data }) => data.view)?.data.view.game;
    if (game) await prepare(game);
    if (history !== this.history) return; // another player has signed in meanwhile
    for (const { type, data } of messages) {
      if (type === 'reset') {
        this.history.clear();
        this.message = null;
      } else if (type === 'snapshot' || type === 'view') this.#apply(data);
    }
    this.update();
  }

  // After the end the stream stays open for a rematch; when it closes, nothing more will come.
  #connect(connection) {
    if (this.isOver && connection === 'lost') this.close();
    else this.set({ connection });
  }

  #apply(message) {
    const { version } = message;
    if (this.message && version < this.message.version) return;
    synchronise(message.now);
    this.cameLate = (!this.message || this.cameLate) && message.view.phase === 'ended';
    this.history.add(message.events ?? []);
    this.message = message;
    if (this.sending?.until && this.sending.until <= version) this.sending = null;
    this.#choose();
    this.spoken = announcement(message, this.scene, this.choices) || this.spoken;
    const { view } = message;
    entitle(`${titleOf(view.game)}${view.waiting?.seats?.includes(seatOf(view)) ? ' – your turn' : ''}`);

    if (view.phase === 'playing' && session.player) revealSeeds(api, view, session.player.id, message.head);
    if (!this.info) gameInfo(view.game).then((info) => this.set({ info }), () => {});
  }

  #choose() {
    const { view, legal_actions: legal } = this.message;
    const earlier = this.choices;
    this.scene = sceneOf(view);
    this.choices = legal && new Choices(view, this.scene, legal);
    if (earlier && this.choices) this.choices.resume(earlier);
    this.reason = '';
  }

  #pick(place) {
    if (this.sending || !this.choices) return;
    this.reason = this.choices.reasons.get(place) ?? '';
    this.refusal = null;
    const body = this.choices.pick(place);
    if (body) this.#send(body);
    else this.set({ spoken: this.reason || picking(this.message.view, this.choices) });
  }

  // A double click plays the card alone, where that is possible.
  #play(place) {
    if (!this.choices || this.sending) return;
    this.choices.picked = [];
    const body = this.choices.pick(place) ?? (this.choices.buttons.length === 1 ? this.choices.buttons[0].body : null);
    if (body) this.#send(body);
    else this.update();
  }

  async #send(body) {
    const { version, view } = this.message;
    const sent = { until: null };
    this.set({ sending: sent, refusal: null, reason: '' });
    try {
      // If several players act at the same time, the others' actions do not change this player's choices.
      const expected = view.view.to_move === null ? {} : { expected_version: version };
      const answer = await api.post(`/v1/tables/${this.id}/actions?include=legal_actions`, { ...body, ...expected });
      sent.until = answer.version;
      if (this.message?.version >= answer.version) this.set({ sending: null });
      // The stream brings the same with its sentences; the answer itself is drawn only if the stream is interrupted.
      else setTimeout(() => { if (this.sending === sent) { this.#apply(answer); this.update(); } }, STREAM_LAG_MS);
    } catch (problem) {
      this.set({ sending: null, refusal: problem });
    }
  }

  // Arrow keys move between playable cards; the Tab key moves through everything.
  #key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || event.target.closest('input, select, textarea')) return;
    const cards = [...this.querySelectorAll('.card-holder.playable')];
    const next = cards[(cards.indexOf(document.activeElement) + step + cards.length) % cards.length];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  draw() {
    // Only new events animate cards; other redraws, such as for a picked card, do not.
    const isNews = this.message?.version !== this.#drawn;
    this.#drawn = this.message?.version;
    const before = isNews ? measured(this) : null;
    const lines = this.querySelector('.history');
    // A reader who has scrolled back stays there.
    const isAtEnd = !lines || lines.scrollHeight - lines.scrollTop - lines.clientHeight < LINE_PX;
    const focused = document.activeElement?.closest?.('[data-place]')?.dataset.place;
    render(this.template(), this);
    if (before) fly(this, before, this.history.latest);
    this.#keepFocus(focused);
    const told = lines ?? this.querySelector('.history');
    if (told && isAtEnd) told.scrollTop = told.scrollHeight;
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
    return html`
      <div class="table-room">
        <div class="board">
          ${felt(view, {
    scene: this.scene,
    choices: this.sending ? null : this.choices,
    onPick: (place) => this.#pick(place),
    onPlay: (place) => this.#play(place),
    outcome: view.phase === 'ended' ? this.#outcome(view) : nothing,
    prompt: view.phase === 'ended' ? html`<div class="prompt"></div>` : promptOf({
      view,
      choices: this.choices,
      info: this.info,
      sending: Boolean(this.sending),
      refusal: this.refusal,
      reason: this.reason,
      send: (body) => this.#send(body),
      redraw: () => this.update(),
      ready: () => this.#ready(),
    }),
  })}
          ${this.#count(view)}
        </div>
        <aside class="beside" aria-label="About the table">
          ${this.isLesson ? html`<hw-lesson .table=${view} .legal=${this.message.legal_actions} .events=${this.history.events}></hw-lesson>` : nothing}
          ${this.#menu(view)}
          ${sides(view, this.history, () => this.update())}
        </aside>
      </div>`;
  }

  #outcome(view) {
    if (!later(OUTCOME, () => this.update())) return nothing;
    return html`<div class="over"><hw-outcome .table=${view}></hw-outcome></div>`;
  }

  // A viewer who comes after the end wants to see the outcome.
  #count(view) {
    const scored = view.stage === 'in_play' ? undefined
      : this.history.events.findLast(({ type }) => type === 'table.round_scored')?.version;
    if (!scored || this.closedCount === scored || this.cameLate) return nothing;
    const count = later(COUNT, () => this.update())?.countOf(view, this.history.events);
    if (!count) return nothing;
    return html`<hw-count .count=${count} .table=${view} .ready=${isAwaited(view) ? () => this.#ready() : null}
      @close=${() => this.#closeCount(count)}></hw-count>`;
  }

  #closeCount({ version }) {
    this.set({ closedCount: version });
    (this.querySelector('#outcome') ?? this.querySelector('.prompt')).focus({ preventScroll: true });
  }

  #ready() {
    return api.post(`/v1/tables/${this.id}/ready`).catch((refusal) => this.set({ refusal }));
  }

  // Loaded when opened, or when it has a notice to show.
  #menu(view) {
    const calls = view.seats.some(({ policy, bot_kept: kept, away_since: away }) => !policy && (kept || away));
    if ((this.isMenuOpen || calls) && later(MENU, () => this.update())) {
      return html`<hw-table-menu .table=${view} .isOpen=${this.isMenuOpen}></hw-table-menu>`;
    }
    return html`<details class="panel table-menu" @toggle=${({ target }) => { if (target.open) this.set({ isMenuOpen: true }); }}>
      <summary><h2>Table</h2></summary></details>`;
  }

  #refused() {
    const isPrivate = this.problem.code === 'not_invited';
    if (isPrivate && !later(INVITATION, () => this.update())) return loading();
    return html`
      <section class="page"><h1>Table ${this.id}</h1>
        ${isPrivate ? html`<hw-uninvited table=${this.id} @invited=${() => this.#follow()}></hw-uninvited>`
    : failure(this.problem, () => this.#follow())}
        <p><a href="/tables">Other tables</a></p>
      </section>`;
  }
}

customElements.define('hw-table', Table);
