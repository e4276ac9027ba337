/** The service's descriptions of its games, requested once, because they never change while the page is open. */
import { api } from './api.js';

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
  ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '));
