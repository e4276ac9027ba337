/** The service's descriptions of its games, requested once, because they never change while the page is open. */
import { api } from './api.js';
import { humanised, inWords } from './words.js';

const asked = new Map();
let listed = null;

/** The list of games: `{name, title, unit, seats: {fewest, most}, …}`. */
export function games() {
  listed ??= api.get('/v1/games').then(({ games: all }) => all);
  listed.catch(() => { listed = null; });
  return listed;
}

/** Seats, options, tournament settings, forms of the actions and rules of one game. */
export function gameInfo(name) {
  if (!asked.has(name)) {
    const answer = api.get(`/v1/games/${name}`);
    asked.set(name, answer);
    answer.catch(() => asked.delete(name));
  }
  return asked.get(name);
}

/** A game's title, before its description has loaded. */
export const titleOf = (name) => ({ double_blind: 'The Double Blind', blind_don: 'Blind Don' }[name]
  ?? humanised(name));

/** A table's options that differ from the game's defaults, in words; `info` is the description of the game. */
export const changedOptions = (chosen, info) => info.options
  .filter(({ name, default: usual }) => (chosen[name] ?? null) !== null && chosen[name] !== usual)
  .map(({ name, meaning }) => ({ name: humanised(name), value: inWords(chosen[name]), meaning }));

const USUAL_SEATS = 4;

/** How many seats a new table has, unless the player chooses. */
export const usualSeats = ({ fewest, most }) => Math.min(most, Math.max(fewest, USUAL_SEATS));
