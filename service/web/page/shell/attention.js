/**
 * Calls a player back to a tab that is not looked at: by its title, a sound and, if allowed, a notification. A tab that is
 * looked at shows a note of an offer.
 */
import { titleOf } from '../kit/games.js';
import { notify, play } from '../kit/alerts.js';
import { html, render } from '../vendor/lit-html/lit-html.js';

const CALLS = {
  your_turn: 'Your turn', seat_offered: 'You are offered a seat', round_opened: 'Your round starts',
  tournament_offer: 'You are offered a place in a tournament',
};
const MARK = '● ';

/** @returns {boolean} whether this kind of news calls the player back */
export const isCall = (type) => type in CALLS;

/** The address of what calls, and its name. */
const about = ({ table, cup }) => (cup ? [`/tournaments/${cup.id}`, cup.name] : [`/tables/${table.id}`, titleOf(table.game)]);

/** Changes the title of this hidden tab until it is looked at; in a tab that is looked at, shows the note of an offer. */
export function mark(told) {
  if (!document.hidden) { note(told); return; }
  if (!document.title.startsWith(MARK)) plain = document.title;
  document.title = `${MARK}${CALLS[told.type]} · ${about(told)[1]}`;
  document.addEventListener('visibilitychange', unmark);
}

/** Plays the sound and shows the notification, in one tab of the browser. */
export async function call(told) {
  const [url, body] = about(told);
  play('call', { isForHidden: true });
  await notify(CALLS[told.type], { url, body });
}

function note(told) {
  const [url, name] = about(told);
  const noted = document.querySelector('.offered-cup') ?? document.createElement('p');
  noted.className = 'turns offered-cup';
  noted.setAttribute('role', 'status');
  noted.onclick = () => noted.remove();
  render(html`<span>${CALLS[told.type]}: <a href=${url}>${name}</a></span>
    <button class="plain">Dismiss</button>`, noted);
  document.querySelector('hw-header').append(noted);
}

let plain = '';

// The room may have changed the title meanwhile, which is then right.
function unmark() {
  if (document.hidden) return;
  document.removeEventListener('visibilitychange', unmark);
  if (document.title.startsWith(MARK)) document.title = plain;
}
