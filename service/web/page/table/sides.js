/** The panels next to the table: history, scores, and the cards seen so far. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { repeat } from '../vendor/lit-html/directives/repeat.js';
import { later } from '../kit/later.js';
import { withStyles } from './with_styles.js';

const SCORES = () => import('./scores.js');
const SEEN = () => withStyles(import('./seen.js'));

/** The fewest sentences that are kept; a long table's earlier ones are in its replay. */
const LINES = 200;

/**
 * @param {object} view the TableView
 * @param {import('./history.js').History} history
 * @param {() => void} redraw called when more can be drawn
 */
export function sides(view, { events, isLoaded }, redraw) {
  return html`
    <details class="panel" open><summary><h2>History</h2></summary>${lines(isLoaded ? events : [])}</details>
    ${seen(view, events, redraw)}
    ${events.some(({ type }) => type === 'table.round_scored') ? later(SCORES, redraw)?.scores(view, events) : nothing}`;
}

// The panel is drawn when it is opened: most players trust their memory.
let isSeenOpen = false;
function seen(view, events, redraw) {
  const toggled = ({ target }) => { isSeenOpen = target.open; redraw(); };
  return html`<details class="panel seen" ?open=${isSeenOpen} @toggle=${toggled}><summary><h2>Seen so far</h2></summary>
    ${isSeenOpen ? later(SEEN, redraw)?.seenSoFar(view, events) : nothing}</details>`;
}

function lines(events) {
  const told = events.filter(({ words }) => words);
  // The oldest ones are dropped many at a time, so that the others seldom move.
  const shown = told.slice(Math.max(0, Math.floor(told.length / LINES) - 1) * LINES);
  return html`
    <ol class="history" tabindex="0" aria-label="Events, the newest last">
      ${repeat(shown, ({ version }) => version, ({ version, words, by }) => html`
        <li class=${by.startsWith('worker') ? 'by-worker' : ''} value=${version}>${words}</li>`)}
    </ol>`;
}
