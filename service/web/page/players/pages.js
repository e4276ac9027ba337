/** Paginated lists: pages are fetched as they are needed, and rows are shown a few at a time. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { failure, loading } from '../kit/words.js';

export class Pages {
  rows = [];

  shown = 0;

  cursor;

  isBusy = false;

  isLoaded = false;

  problem = null;

  /**
   * @param {(cursor?: string) => Promise<{rows: object[], cursor: string|null}>} fetchPage
   * @param {() => void} redraw
   * @param {number} step the number of rows that are shown at first, and that each call of `more` adds
   */
  constructor(fetchPage, redraw, step = 25) {
    Object.assign(this, { fetchPage, redraw, step });
  }

  get visible() {
    return this.rows.slice(0, this.shown);
  }

  get isComplete() {
    return this.cursor === null && this.shown >= this.rows.length;
  }

  /** Shows the next rows; the first call shows the first ones. */
  async more() {
    if (this.isBusy) return;
    Object.assign(this, { isBusy: true, problem: null });
    this.redraw();
    try {
      // A page may have fewer rows than asked for, or none, without being the last one.
      while (this.cursor !== null && this.rows.length < this.shown + this.step) {
        const { rows, cursor } = await this.fetchPage(this.cursor);
        this.rows = [...this.rows, ...rows];
        this.cursor = cursor;
      }
      this.shown = Math.min(this.shown + this.step, this.rows.length);
      this.isLoaded = true;
    } catch (problem) {
      this.problem = problem;
    }
    this.isBusy = false;
    this.redraw();
  }

  /** Loads the list again. Returns a new list that shows as many rows, or this one if the request fails. */
  async renew() {
    const fresh = new Pages(this.fetchPage, () => {}, Math.max(this.step, this.shown));
    await fresh.more();
    if (fresh.problem) return this;
    return Object.assign(fresh, { redraw: this.redraw, step: this.step });
  }
}

// After the last page the button disappears. The status then takes the focus, which would otherwise be lost.
async function showMore(pages, { currentTarget }) {
  const container = currentTarget.parentElement;
  await pages.more();
  await new Promise(requestAnimationFrame);
  if (!container.querySelector('button')) container.querySelector('[role=status]')?.focus();
}

/**
 * Shows a list in each of its states: loading, failed, empty, or with a button for more rows.
 *
 * @param {Pages} pages
 * @param {{noun: string, rows: (visible: object[]) => unknown, empty: unknown}} parts
 *   `noun`: the rows in the plural, such as 'tables'
 */
export function paged(pages, { noun, rows, empty }) {
  const retry = () => pages.more();
  if (!pages.isLoaded) return pages.problem ? failure(pages.problem, retry) : loading(`Loading ${noun}`);
  if (!pages.rows.length) return empty;
  const fitsInOneStep = pages.isComplete && pages.rows.length <= pages.step;
  return html`
    ${rows(pages.visible)}
    ${pages.problem ? failure(pages.problem, retry) : nothing}
    ${fitsInOneStep ? nothing : html`<div class="more">
      ${pages.isComplete ? nothing : html`
        <button aria-disabled=${pages.isBusy} @click=${(event) => showMore(pages, event)}>
          ${pages.isBusy ? 'Loading …' : `Show more ${noun}`}</button>`}
      <span class="small" role="status" tabindex="-1">Showing ${pages.isComplete ? 'all' : 'the first'} ${
        pages.shown}.</span>
    </div>`}`;
}

/** A room that is still loading, or failed to load. */
export const pending = (heading, problem, retry) => html`
  <section class="page players">
    <h1>${heading}</h1>
    ${problem ? failure(problem, retry) : loading()}
  </section>`;
