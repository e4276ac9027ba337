/** Calls a player back to a tab that is not looked at: by its title, a sound and, if allowed, a notification. */
import { titleOf } from '../kit/games.js';
import { notify, play } from '../kit/alerts.js';

const CALLS = { your_turn: 'Your turn', seat_offered: 'A seat is offered to you', round_opened: 'Your round starts' };
const MARK = '● ';

/** @returns {boolean} whether this kind of news calls the player back */
export const isCall = (type) => type in CALLS;

/** Changes the title of this hidden tab until it is looked at. */
export function mark({ type, table }) {
  if (!document.title.startsWith(MARK)) plain = document.title;
  document.title = `${MARK}${CALLS[type]} · ${titleOf(table.game)}`;
  document.addEventListener('visibilitychange', unmark);
}

/** Plays the sound and shows the notification, in one tab of the browser. */
export async function call({ type, table }) {
  play('call', { isForHidden: true });
  await notify(CALLS[type], { url: `/tables/${table.id}`, body: titleOf(table.game) });
}

let plain = '';

// The room may have changed the title meanwhile, which is then right.
function unmark() {
  if (document.hidden) return;
  document.removeEventListener('visibilitychange', unmark);
  if (document.title.startsWith(MARK)) document.title = plain;
}
