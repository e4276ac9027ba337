/** The same deal at two tables, side by side. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { titleOf } from '../kit/games.js';
import { setQuery } from '../kit/router.js';
import { failure, list, loading, setTitle } from '../kit/words.js';
import { spelled } from '../table/scene/speech.js';
import { withCards } from '../text/inline.js';
import { controls, pressed, whereabouts } from './controls.js';
import { Pair } from './pair.js';
import { heaps, stage } from './stage.js';

// Browsers refuse to change the address more than about three times a second for long.
const ADDRESS_MS = 400;

class Compare extends Room {
  /** The table that a narrow screen shows. */
  turned = 0;

  enter() {
    const ids = [this.getAttribute('table'), this.getAttribute('other')];
    setTitle('Two tables');
    this.pair = new Pair(ids.map((id) => `/v1/tables/${id}`));
    this.path = location.pathname;
    this.listen(this.pair, 'change', () => this.#changed());
    this.whenLeaving(() => { clearTimeout(this.addressTimer); this.pair.close(); });
    this.#open();
  }

  async #open() {
    const asked = new URLSearchParams(location.search);
    await this.pair.open({ viewer: asked.get('viewer'), step: Number(asked.get('move')) });
    this.set({ isOpen: true });
  }

  #changed() {
    this.update();
    if (!this.pair.isReady) return;
    setTitle(`${titleOf(this.pair.present.game)}, the same deal at two tables`);
    clearTimeout(this.addressTimer);
    const { version: move, viewer } = this.pair;
    this.addressTimer = setTimeout(() => { if (location.pathname === this.path) setQuery({ move, viewer }); }, ADDRESS_MS);
  }

  template() {
    const { pair } = this;
    if (pair.problem) return this.#refused(pair.problem);
    if (!pair.isReady) return this.isOpen ? this.#early() : html`<div class="page">${loading('Loading the tables')}</div>`;
    const { tournament, game } = pair.present;
    return html`
      <div class="page replay-room comparison">
        <header class="heading">
          ${tournament ? html`<nav class="crumbs" aria-label="Where you are">
            <a href="/tournaments/${tournament.tournament}?tab=deals&deal=${tournament.round}">Deal
              ${tournament.round}</a></nav>` : nothing}
          <h1>${titleOf(game)}: ${pair.isSameDeal ? 'the same deal at two tables' : 'two tables'}</h1>
          ${pair.isSameDeal ? nothing : html`<p class="notice">These tables did not play the same deal.</p>`}
          ${this.#parting()}
        </header>
        <div class="switch-tables" role="group" aria-label="The table to show">${pair.sides.map((side, at) => html`
          <button aria-pressed=${at === this.turned ? 'true' : 'false'} @click=${() => this.set({ turned: at })}>${
            titleAt(side)}</button>`)}</div>
        <div class="pair">${pair.sides.map((side, at) => this.#side(side, at))}</div>
        ${controls(pair)}
      </div>`;
  }

  #refused(problem) {
    return html`<section class="page"><h1>Two tables</h1>
      ${failure(problem, problem.status === 404 ? undefined : () => this.#open())}</section>`;
  }

  #early() {
    return html`<section class="page"><h1>Two tables</h1>
      <p>These tables can be compared once both have ended.</p></section>`;
  }

  #parting() {
    const { pair } = this;
    if (!pair.parting) return html`<p>Both tables made the same moves to the end.</p>`;
    return html`<p class="row-of-buttons"><button ?disabled=${pair.version === pair.parting}
      @click=${() => pair.go(pair.parting)}>Go to the first difference</button></p>`;
  }

  #press(event) {
    if (event.target === event.currentTarget) pressed(event, this.pair);
  }

  #side(side, at) {
    const { current } = this.pair;
    const { shown, recording, present } = side;
    const where = whereabouts(this.pair);
    const words = current.ended[at] ? 'Nothing more happened at this table in this round.'
      : recording.at(current.versions[at])?.words ?? 'Hidden from this viewer.';
    const missing = recording.problems.get(current.versions[at]);
    const title = titleAt(side);
    return html`<section class="side" data-turned=${at === this.turned ? 'true' : 'false'} aria-label=${title}>
      <h2>${title}</h2>
      <p class="small"><span>${list(present.seats.map(({ name }) => name))}.</span>
        <a href="/tables/${present.id}/replay?version=${current.versions[at]}&viewer=${side.viewer}">Replay of this
          table</a></p>
      <p class="told" data-side=${at}>${withCards(words)}</p>
      <p class="unseen" role="status">${title}: ${spelled(words)}</p>
      <div class="board" tabindex="0" role="group" aria-busy=${side.isArriving} aria-label="${title}, ${where}"
        data-version=${shown.version} @keydown=${(event) => this.#press(event)}>
        ${missing ? failure(missing, () => side.retry()) : nothing}
        ${stage(shown.view, false, null, title)}
      </div>
      ${heaps(shown.view)}
    </section>`;
  }
}

const titleAt = ({ present }) => (present.tournament ? `Board ${present.tournament.board}` : `Table ${present.id}`);

customElements.define('hw-compare', Compare);
