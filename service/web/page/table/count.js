/** The count at the end of a round, contest by contest, from its events. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { card } from '../cards/card.js';
import { facesInWords } from '../cards/words.js';
import { isMotionReduced } from '../kit/reduced_motion.js';
import { figure, signed } from '../kit/words.js';
import { describe } from './scene/scene.js';
import { namesOf } from './scene/names.js';

const STEP_MS = 2200;

/**
 * The count of the round that has just ended, until the next deal; otherwise null.
 * @returns {{version: number, round: number, steps: object[], scoring: string, deltas: number[], totals: number[], unit: string}|null}
 */
export function countOf(view, events) {
  if (view.stage === 'in_play') return null;
  const at = events.findLastIndex(({ type }) => type === 'table.round_scored');
  if (at < 0) return null;
  const scored = events[at];
  const { counting = [], count, scoring = 'The score of the round' } = describe(view.game);
  const before = events.slice(0, at).toReversed();
  const previous = before.findIndex(({ type }) => type === 'table.round_scored');
  const steps = (previous < 0 ? before : before.slice(0, previous)).filter(({ type }) => counting.includes(type)).toReversed()
    .map((event) => count(event));
  const { round, deltas, totals, unit } = scored.data;
  return { version: scored.version, round, steps, scoring, deltas, totals, unit };
}

class Count extends Room {
  shown = 1;

  set count(count) {
    if (this.value?.version === count.version) return;
    this.value = count;
    this.shown = isMotionReduced() ? Infinity : 1;
    this.update();
  }

  enter() {
    this.every(STEP_MS, () => { if (this.shown <= this.value.steps.length) this.set({ shown: this.shown + 1 }); });
  }

  template() {
    const { round, steps, scoring, deltas, totals, unit } = this.value;
    const names = namesOf(this.table);
    return html`
      <section class="count panel" aria-label="The count of round ${round}">
        <h2>Round ${round}</h2>
        <div class="steps">${steps.slice(0, this.shown).map((step) => html`<div>${this.#step(step, names)}</div>`)}</div>
        ${this.shown > steps.length ? html`
          <h3>${scoring}</h3>
          <ul class="deltas steps">${deltas.map((delta, seat) => html`
            <li .style=${`--own: var(--seat-${seat})`}><span class="dot" aria-hidden="true"></span>${names[seat]}
              <b>${signed(delta)}</b> <small>${Math.abs(delta) === 1 ? unit : `${unit}s`}, now ${figure(totals[seat])}</small></li>`)}</ul>` : nothing}
        <div class="row-of-buttons">
          ${this.shown <= steps.length ? html`<button @click=${() => this.set({ shown: Infinity })}>Show all</button>` : nothing}
          ${this.ready ? html`<button class="main" @click=${this.ready}>I am ready</button>` : nothing}
          <button @click=${() => this.dispatchEvent(new Event('close'))}>Close the count</button>
        </div>
      </section>`;
  }

  #step({ title, rows, winner }, names) {
    return html`
      <h3>${title}</h3>
      <ul class="rows">${rows.map(({ seat, cards, value, note }) => html`
        <li class=${winner === seat ? 'won' : ''}>
          <span class="name">${names[seat]}</span>
          ${cards.length ? html`<span class="cards" role="img" aria-label=${facesInWords(cards)}>${cards.map((face) => card(face))}</span>` : nothing}
          ${value === null ? nothing : html`<b>${value}</b>`}
          ${winner === seat ? html`<em>wins</em>` : nothing} ${note ? html`<small>${note}</small>` : nothing}
        </li>`)}</ul>`;
  }
}

customElements.define('hw-count', Count);
