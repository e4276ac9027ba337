/** The replay page: a table event by event, or live. */
import { html, nothing, render } from '../vendor/lit-html/lit-html.js';
import { ref } from '../vendor/lit-html/directives/ref.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { titleOf } from '../kit/games.js';
import { setQuery } from '../kit/router.js';
import { session } from '../kit/session.js';
import { failure, list, loading, moment, setTitle } from '../kit/words.js';
import { spelled } from '../table/scene/speech.js';
import { withCards } from '../text/inline.js';
import { controls, hints, newer, pressed, viewerName, whereabouts } from './controls.js';
import { save } from './download.js';
import './imported.js';
import './moments.js';
import { Playback } from './playback.js';
import { results } from './results.js';
import { draw, heaps, stage } from './stage.js';

// Browsers refuse to change the address more than about three times a second for long.
const ADDRESS_MS = 400;
// Animate at most this many events at once; a live table may send a whole turn together.
const MAX_PASSED = 8;
const HIDDEN = 'Hidden from this viewer.';

const numbered = (viewer) => (/^\d$/.test(viewer) ? Number(viewer) : null);

class Replay extends Room {
  #drawn = null;

  tallest = 0;

  /** The seat whose moves are reviewed, or null. */
  reviewing = null;

  enter() {
    const [table, imported] = [this.getAttribute('table'), this.getAttribute('imported')];
    this.playback = new Playback(imported ? `/v1/imports/${imported}` : `/v1/tables/${table}`);
    this.listen(this.playback, 'change', () => this.#changed());
    this.whenLeaving(() => { clearTimeout(this.addressTimer); this.playback.close(); });
    this.path = location.pathname;
    this.player = session.player?.id;
    this.listen(session, 'change', () => this.#signedIn());
    this.listen(window, 'online', () => this.#retry());
    this.listen(window, 'popstate', () => this.#read());
    this.listen(window, 'resize', () => this.#resize());
    this.#open();
  }

  async #open() {
    const asked = new URLSearchParams(location.search);
    this.set({ reviewing: null });
    await this.playback.open({ version: Number(asked.get('version')) || 0, viewer: asked.get('viewer') });
    if (asked.has('review') && this.#reviewed !== null) this.#review();
  }

  #retry() {
    if (this.playback.problem || this.#missing) this.playback.retry();
  }

  // A link to another moment of the same table.
  #read() {
    if (location.pathname !== this.path || !this.playback.recording) return;
    const asked = new URLSearchParams(location.search);
    if (asked.get('viewer')) this.playback.see(asked.get('viewer'));
    if (Number(asked.get('version'))) this.playback.go(Number(asked.get('version')));
  }

  // Another player may see other cards.
  #signedIn() {
    if (session.player?.id === this.player) return;
    this.player = session.player?.id;
    if (!this.playback.isOver) this.#open();
  }

  #changed() {
    this.update();
    const { recording, present } = this.playback;
    if (!recording) return;
    setTitle(`${titleOf(present.game)}, ${this.playback.isOver ? 'replay' : 'live'}`);
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => { if (location.pathname === this.path) setQuery(this.#query()); }, ADDRESS_MS);
    if (this.#result && !this.plot) {
      import('../plots/plot.js').then(({ linePlot }) => this.set({ plot: linePlot }), () => {});
    }
  }

  // While following, the link must lead to the live table, not to one moment.
  #query() {
    const { following, version, viewer } = this.playback;
    return { version: following ? null : version, viewer };
  }

  #address(version) {
    return `${location.pathname}?version=${version}&viewer=${this.playback.viewer}`;
  }

  get #missing() {
    return this.playback.recording?.problems.get(this.playback.version);
  }

  get #result() {
    const { shown, present } = this.playback;
    return shown?.view.result ? { ...shown.view, rematch: present.rematch } : null;
  }

  /** Whether the game has the level that reviews; null if nobody knows. */
  get #hasExpert() {
    return this.playback.info?.policies.some(({ name }) => name === 'expert') ?? null;
  }

  /** The seat whose moves can be reviewed, or null. */
  get #reviewed() {
    const { playback } = this;
    if (!session.player || !playback.isOver || playback.isImport || !this.#hasExpert) return null;
    return playback.own === null ? numbered(playback.viewer) : Number(playback.own);
  }

  #review() {
    return this.#reveal(() => import('./review.js'), { reviewing: this.#reviewed });
  }

  async #copy() {
    const address = location.origin + this.#address(this.playback.version);
    try {
      await navigator.clipboard.writeText(address);
      this.set({ copied: 'The link is copied.', link: null });
    } catch {
      // Browsers forbid clipboard access over plain HTTP, except on localhost.
      this.set({ link: address, copied: null });
    }
  }

  async #download() {
    this.set({ saving: true, refusal: null });
    try {
      await save(this.playback.path);
    } catch (refusal) {
      this.set({ refusal });
    }
    this.set({ saving: false });
  }

  async #reveal(load, state) {
    try {
      await load();
      this.set(state);
    } catch {
      this.set({ refusal: new Error('This part of the page could not be loaded. Check your connection.') });
    }
  }

  draw() {
    const { shown, viewer } = this.playback;
    const drawn = shown && { version: shown.version, viewer };
    const before = this.#drawn;
    const isNext = drawn && before?.viewer === viewer && before.version < drawn.version;
    const passed = isNext ? this.playback.recording.between(before.version, drawn.version) : [];
    const isWay = passed.length > 0 && passed.length <= MAX_PASSED;
    draw(this, () => render(this.template(), this), isWay ? passed : null);
    this.#drawn = drawn;
    this.#keepHeight();
    const moments = this.playback.recording && this.querySelector('hw-moments');
    moments?.show(this.playback, (version) => this.#address(version));
  }

  // Keep the greatest height, or the controls would move under the pointer.
  #keepHeight() {
    const board = this.querySelector('.board');
    const height = board?.querySelector('.felt')?.offsetHeight ?? 0;
    if (height <= this.tallest) return;
    this.tallest = height;
    board.style.setProperty('--tallest', `${height}px`);
  }

  #resize() {
    this.tallest = 0;
    this.querySelector('.board')?.style.removeProperty('--tallest');
    this.update();
  }

  template() {
    const { problem, recording, shown } = this.playback;
    if (problem) return this.#refused(problem);
    if (!recording || !shown) {
      const missing = this.#missing;
      return html`<div class="page"><h1>Replay</h1>${
        missing ? failure(missing, () => this.playback.retry()) : loading('Loading the table')}</div>`;
    }
    return html`
      <div class="page replay-room">
        <div class="projection">
          ${this.#heading()}
          ${this.#board(shown)}
          ${controls(this.playback)}
          ${this.#actions()}
          ${this.reviewing === null ? html`<hw-moments class="moments"></hw-moments>` : html`
            <hw-review class="moments" @reviewed=${({ detail }) => this.set({ remarks: detail })} .of=${{
    playback: this.playback, seat: this.reviewing, address: (version) => this.#address(version),
  }}></hw-review>`}
        </div>
        ${heaps(shown.view)}
        ${hints()}
        ${this.#result ? results(this.#result, recording, {
          plot: this.plot, rematch: this.#result.rematch, isImport: this.playback.isImport,
        }) : nothing}
        ${this.verifying ? html`<hw-verification .of=${this.verifying}></hw-verification>` : nothing}
        ${this.forking ? html`<hw-fork .from=${this.forking}></hw-fork>` : nothing}
      </div>`;
  }

  #refused(problem) {
    return html`
      <section class="page"><h1>Replay</h1>
        ${failure(problem, () => this.#open())}
        ${problem.status === 403 && problem.detail.includes('invitation') ? html`<p>You need an invitation to watch this
          table. Open the full invitation link once, then come back.</p>` : nothing}
        ${problem.status === 404 ? html`<p>The <a href="/tables">lobby</a> lists the tables in play, and
          <a href="/me/tables">My tables</a> those you played at.</p>` : nothing}
      </section>`;
  }

  #heading() {
    const { present, isOver, isImport, recording } = this.playback;
    const names = present.seats.map(({ name, seat }) => name ?? `free seat ${seat}`);
    const began = recording.events[0]?.at;
    return html`
      <header class="heading">
        <h1>${titleOf(present.game)}${isOver ? ', replay' : ', live'}</h1>
        <p>${list(names)}${began ? html`, ${moment(began)}` : nothing}.
          ${isImport ? 'Imported from a verified file.'
    : html`<a href="/tables/${present.id}">Go to the table</a>`}</p>
        ${isImport ? html`<hw-imported .of=${this.playback.guest}></hw-imported>` : nothing}
        ${this.playback.note ? html`<p class="notice" role="status">${this.playback.note}</p>` : nothing}
      </header>`;
  }

  #actions() {
    return html`
      <div class="actions">
        <p class="row-of-buttons">
          <button @click=${() => this.#copy()}>Copy link</button>
          ${this.playback.isOver ? this.#afterwards() : nothing}
        </p>
        <p class="small" role="status">${this.copied ?? nothing}</p>
        ${this.link ? html`<p><label>The link to this moment <input class="link" readonly .value=${this.link}
          ${ref((input) => input?.select())}></label></p>` : nothing}
        ${this.refusal ? failure({ detail: this.refusal.message, ...this.refusal }) : nothing}
      </div>`;
  }

  #afterwards() {
    const { playback } = this;
    const { version, viewer, path, present, shown } = playback;
    const isOut = shown.view.result !== null || shown.view.stage === 'over';
    const seat = numbered(viewer) ?? (playback.own && Number(playback.own));
    const leave = () => this.set({ forking: null });
    const log = () => api.get(`${path}/log`, { as: 'text', headers: { Accept: 'application/x-ndjson' } });
    const fork = () => {
      playback.go(version); // which no longer plays on
      return this.#reveal(() => import('./fork.js'), { forking: { path, version, view: present, seat, leave } });
    };
    const prove = () => (this.verifying ? this.set({ verifying: null })
      : this.#reveal(() => import('./verification.js'), { verifying: { log, view: present } }));
    return html`
      <button ?disabled=${isOut} title=${isOut ? 'Nothing is left to play at this moment' : nothing}
        @click=${fork}>Play on from here</button>
      <button ?disabled=${this.saving} @click=${() => this.#download()}>Download log</button>
      ${this.#reviewed === null && this.reviewing === null ? nothing : html`
        <button aria-expanded=${this.reviewing !== null}
          @click=${() => (this.reviewing === null ? this.#review() : this.set({ reviewing: null }))}>
          ${playback.own === null ? 'Review' : 'Review my moves'}</button>`}
      ${this.#hasExpert === false && playback.own !== null ? html`
        <span class="small">No review: bots cannot think ahead in ${titleOf(present.game)}.</span>` : nothing}
      <button aria-expanded=${Boolean(this.verifying)} @click=${prove}>Verify</button>`;
  }

  // Focusable items on the table have their own keys.
  #press(event) {
    if (event.target === event.currentTarget) pressed(event, this.playback);
  }

  #board(shown) {
    const { playback } = this;
    const { recording, viewer, own, present } = playback;
    const words = (this.reviewing === null ? null : this.remarks?.get(shown.version))
      ?? recording.at(shown.version)?.words ?? HIDDEN;
    const missing = this.#missing;
    const where = whereabouts({ recording, last: playback.last, version: shown.version });
    return html`
      <div class="board" tabindex="0" role="group" aria-busy=${playback.isArriving} aria-describedby="hints"
        aria-label="The table, ${where}, seen by ${viewerName(viewer, present, own)}"
        data-version=${shown.version} data-viewer=${viewer} @keydown=${(event) => this.#press(event)}>
        ${missing ? failure(missing, () => playback.retry()) : nothing}
        ${stage(shown.view, playback.following, own === null ? null : Number(own))}
      </div>
      <div class="telling">
        <p class="told"><b>${where}</b> ${withCards(words)}</p>
        ${newer(playback)}
        <p class="unseen" role="status">${spelled(words)}</p>
      </div>`;
  }
}

customElements.define('hw-replay', Replay);
