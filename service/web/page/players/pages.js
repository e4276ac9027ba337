/** Lists that the service hands out in pages: asked for piece by piece, shown a step at a time. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { failure, loading } from '../kit/words.js';

export class Pages {
  rows = [];

  shown = 0;

  cursor;

  busy = false;

  isLoaded = false;

  problem = null;

  /**
   * @param {(cursor?: string) => Promise<{rows: object[], cursor: string|null}>} ask
   * @param {() => void} redraw
   * @param {number} step how many rows are shown, and then shown more
   */
  constructor(ask, redraw, step = 25) {
    Object.assign(this, { ask, redraw, step });
  }

  get visible() {
    return this.rows.slice(0, this.shown);
  }

  get isComplete() {
    return this.cursor === null && this.shown >= this.rows.length;
  }

  /** Shows the next rows, or the first ones. */
  async more() {
    if (this.busy) return;
    Object.assign(this, { busy: true, problem: null });
    this.redraw();
    try {
      // A page may have fewer rows than asked for, or none, without being the last one.
      while (this.cursor !== null && this.rows.length < this.shown + this.step) {
        const { rows, cursor } = await this.ask(this.cursor);
        this.rows = [...this.rows, ...rows];
        this.cursor = cursor;
      }
      this.shown = Math.min(this.shown + this.step, this.rows.length);
      this.isLoaded = true;
    } catch (problem) {
      this.problem = problem;
    }
    this.busy = false;
    this.redraw();
  }

  /** Returns the list as it is now, once it has arrived, with as many rows shown; this one if it does not. */
  async renew() {
    const fresh = new Pages(this.ask, () => {}, Math.max(this.step, this.shown));
    await fresh.more();
    if (fresh.problem) return this;
    return Object.assign(fresh, { redraw: this.redraw, step: this.step });
  }
}

// The button may be gone after its last use, and its focus with it.
async function showMore(pages, { currentTarget }) {
  const around = currentTarget.parentElement;
  await pages.more();
  await new Promise(requestAnimationFrame);
  if (!around.querySelector('button')) around.querySelector('[role=status]')?.focus();
}

/**
 * A list with its states: loading, failed, empty, and with a button for more.
 *
 * @param {Pages} pages
 * @param {{what: string, rows: (visible: object[]) => unknown, empty: unknown}} parts
 *   `what`: what the rows are, in the plural
 */
export function paged(pages, { what, rows, empty }) {
  const retry = () => pages.more();
  if (!pages.isLoaded) return pages.problem ? failure(pages.problem, retry) : loading(`Loading ${what}`);
  if (!pages.rows.length) return empty;
  const fitsAtOnce = pages.isComplete && pages.rows.length <= pages.step;
  return html`
    ${rows(pages.visible)}
    ${pages.problem ? failure(pages.problem, retry) : nothing}
    ${fitsAtOnce ? nothing : html`<div class="more">
      ${pages.isComplete ? nothing : html`
        <button aria-disabled=${pages.busy} @click=${(event) => showMore(pages, event)}>
          ${pages.busy ? 'Loading …' : `Show more ${what}`}</button>`}
      <span class="small" role="status" tabindex="-1">You see ${pages.isComplete ? 'all' : 'the first'} ${
        pages.shown}.</span>
    </div>`}`;
}

/** A room that cannot be shown yet, or not at all. */
export const unready = (heading, problem, retry) => html`
  <section class="page players">
    <h1>${heading}</h1>
    ${problem ? failure(problem, retry) : loading()}
  </section>`;
