/** The panels next to the table: the rules in short, history, scores, and the cards seen so far. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { repeat } from '../../vendor/lit-html/directives/repeat.js';
import { later, withStyles } from '../later.js';
import { session } from '../../kit/session.js';
import { withCards } from '../../text/inline.js';

const MENU = () => withStyles(import('../menu.js'));
const CRIB = () => import('./crib.js');
const SCORES = () => import('./scores.js');
const SEEN = () => withStyles(import('./seen.js'));

/** How many sentences are shown at least; a long table's earlier ones are in its replay. */
const LINES = 200;

/** How many are dropped at a time. */
const CHUNK = 100;

/** The menu of a room's table, which is loaded when opened, or when it has a notice to show. */
export function menu(view, room) {
  const calls = view.seats.some(({ policy, bot_kept: kept, away_since: away }) => !policy && (kept || away));
  if ((room.isMenuOpen || calls) && later(MENU, () => room.update())) {
    return html`<hw-table-menu .table=${view} .isOpen=${room.isMenuOpen}></hw-table-menu>`;
  }
  return html`<details class="panel table-menu" @toggle=${({ target }) => target.open && room.set({ isMenuOpen: true })}>
    <summary><h2>Table</h2></summary></details>`;
}

/**
 * @param {object} view the TableView
 * @param {import('./history.js').History} history
 * @param {object|null} info the game, once it is known
 * @param {() => void} redraw called when more can be drawn
 */
export function sides(view, { events, isLoaded }, info, redraw) {
  return html`
    <details class="panel" open><summary><h2>History</h2></summary>${lines(isLoaded ? events : [])}</details>
    ${seen(view, events, redraw)}
    <details class="panel" ?open=${session.preferences.crib !== 'closed'} @toggle=${noteCrib}><summary><h2>In short</h2></summary>
      ${info && later(CRIB, redraw)?.cribOf(info, view.options)}</details>
    ${events.some(({ type }) => type === 'table.round_scored') ? later(SCORES, redraw)?.scores(view, events) : nothing}`;
}

// A panel that is drawn open says so, too; a preference that is kept again would draw the whole page again.
function noteCrib({ target }) {
  const crib = target.open ? undefined : 'closed';
  if (crib !== session.preferences.crib) session.prefer({ crib });
}

// The panel is drawn when it is opened: most players trust their memory.
let isSeenOpen = false;
function seen(view, events, redraw) {
  const toggled = ({ target }) => { isSeenOpen = target.open; redraw(); };
  return html`<details class="panel seen" ?open=${isSeenOpen} @toggle=${toggled}><summary><h2>Seen so far</h2></summary>
    ${isSeenOpen ? later(SEEN, redraw)?.seenSoFar(view, events) : nothing}</details>`;
}

/** Seats and seeds, which interest nobody during play. */
const SETUP = /^table\.(opened|seat_(taken|left|offered)|offer_|host_|started|.*seed|player_ready)/;

// Browsers count no shift where only the height of the list changes, so a list without its oldest lines is another one.
function lines(events) {
  const told = events.filter(({ words }) => words);
  const all = told.filter(({ type }) => !SETUP.test(type));
  const dropped = Math.max(0, Math.floor((all.length - LINES) / CHUNK) * CHUNK);
  const play = all.slice(dropped).reverse();
  const setup = told.filter(({ type }) => SETUP.test(type));
  return html`
    <div class="history newest-first" tabindex="0" role="region" aria-label="Events, the newest first">
      ${repeat([dropped], String, () => html`<ol reversed>${repeat(play, ({ version }) => version, line)}</ol>`)}</div>
    <details><summary>Seats and seeds</summary>
      <div class="history" tabindex="0" role="region" aria-label="Seats and seeds"><ol>${setup.map(line)}</ol></div></details>`;
}

const line = ({ version, words, by }) => html`
  <li class=${by.startsWith('worker') ? 'by-worker' : ''} value=${version}>${withCards(words)}</li>`;
