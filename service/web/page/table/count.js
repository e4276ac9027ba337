/** The count at the end of a round, contest by contest, from its events. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { card } from '../cards/card.js';
import { facesInWords } from '../cards/words.js';
import { isAwaited } from './prompt.js';
import { figure, nth, signed } from '../kit/words.js';
import { describe } from './scene/scene.js';
import { namesOf } from './scene/names.js';

const STEP_MS = 2200;

/**
 * Draws the count in its room; `follow` shows one of its steps on the table, or with null the end. If the table
 * already shows the end, the whole count is shown at once.
 */
export function counting(room, view, follow) {
  const count = countOf(view, room.history.events);
  if (!count) return nothing;
  const close = () => {
    follow(null);
    room.set({ closedCount: count.version });
    // What lies under the count is hidden, and takes no focus, until the room is drawn again.
    queueMicrotask(() => {
      (room.querySelector('#outcome') ?? room.querySelector('.prompt')).focus({ preventScroll: true });
      room.querySelector('.outcome')?.scrollIntoView({ block: 'nearest' });
    });
  };
  return html`<hw-count .isFollowed=${Boolean(room.suspense)} .count=${count} .table=${view} .ready=${isAwaited(view) ? () => room.ready() : null}
    @step=${({ detail }) => follow(detail)} @close=${close}></hw-count>`;
}

/**
 * The count of the round that has just ended, until the next deal; otherwise null.
 * @returns {{version: number, round: number, steps: Step[], scoring: string, deltas: number[], totals: number[], unit: string}|null}
 * @typedef {{version: number, title: string, winner: number|null, rows: object[], shows?: string[]}} Step `shows` names the fields
 *   of the game's view that it turns up; a row has `seat`, `cards`, those `added` to them, `value` and `note`
 */
function countOf(view, events) {
  if (view.stage === 'in_play') return null;
  const at = events.findLastIndex(({ type }) => type === 'table.round_scored');
  if (at < 0) return null;
  const scored = events[at];
  const { counting = [], count, scoring = 'The score of the round' } = describe(view.game);
  const before = events.slice(0, at).toReversed();
  const previous = before.findIndex(({ type }) => type === 'table.round_scored');
  const ofRound = (previous < 0 ? before : before.slice(0, previous)).toReversed();
  const steps = ofRound.filter(({ type }) => counting.includes(type))
    .flatMap((event) => [count(event, ofRound)].flat().map((step) => ({ ...step, version: event.version })));
  const { round, deltas, totals, unit } = scored.data;
  return { version: scored.version, round, steps, scoring, deltas, totals, unit };
}

class Count extends Room {
  shown = 1;

  set count(count) {
    if (this.value?.version === count.version) return;
    this.value = count;
    this.shown = this.isFollowed ? 1 : Infinity;
    if (this.isConnected) this.#show(this.shown);
  }

  enter() {
    this.#show(this.shown);
    this.every(STEP_MS, () => { if (this.shown <= this.value.steps.length) this.#show(this.shown + 1); });
  }

  /** Shows this many steps; the table follows. */
  #show(shown) {
    this.set({ shown });
    this.dispatchEvent(new CustomEvent('step', { detail: this.value.steps[shown - 1] ?? null }));
  }

  /** Each seat with its place so far, the best first. */
  #places() {
    const { totals } = this.value;
    const { result } = this.table;
    const places = result?.places ?? totals.map((own) => 1 + totals.filter((other) => other > own).length);
    return places.map((place, seat) => ({ place, seat })).sort((one, other) => one.place - other.place);
  }

  template() {
    const { round, steps, scoring, deltas, totals, unit } = this.value;
    const names = namesOf(this.table);
    const isDone = this.shown > steps.length;
    const counted = steps.slice(0, this.shown).map((step) => html`<div>${this.#step(step, names)}</div>`);
    return html`
      <section class="count panel" aria-label="The count of round ${round}">
        <h2>Round ${round}</h2>
        ${isDone ? html`
          <h3>${scoring}</h3>
          <ul class="deltas">${this.#places().map(({ place, seat }) => html`
            <li .style=${`--own: var(--seat-${seat})`}><span class="nth">${nth(place)}</span><span class="avatar" aria-hidden="true">${seat}</span>${names[seat]}
              <span><b>${signed(deltas[seat])}</b> <small>${Math.abs(deltas[seat]) === 1 ? unit : `${unit}s`}, now ${figure(totals[seat])}</small></span></li>`)}</ul>
          <div class="steps">${counted}</div>` : html`<div class="steps counting">${counted}</div>`}
        <div class="row-of-buttons">
          ${this.ready ? html`<button class="main" @click=${this.ready}>I am ready</button>` : nothing}
          <button @click=${() => this.dispatchEvent(new Event('close'))}>Close the count</button>
          ${isDone ? nothing : html`<button @click=${() => this.#show(Infinity)}>Show all</button>`}
        </div>
      </section>`;
  }

  #step({ title, rows, winner }, names) {
    return html`
      <h3>${title}</h3>
      <ul class="rows">${rows.map(({ seat, cards, added = [], value, note }) => html`
        <li class=${winner === seat ? 'won' : ''}>
          <span class="name">${names[seat]}</span>
          ${row(cards)}${added.length ? html`<span aria-hidden="true">+</span>${row(added)}` : nothing}
          ${value === null ? nothing : html`<b>${value}</b>`}
          ${winner === seat ? html`<em>wins</em>` : nothing} ${note ? html`<small>${note}</small>` : nothing}
        </li>`)}</ul>`;
  }
}

const row = (cards) => (cards.length
  ? html`<span class="cards" role="img" aria-label=${facesInWords(cards)}>${cards.map((face) => card(face))}</span>` : nothing);

customElements.define('hw-count', Count);
