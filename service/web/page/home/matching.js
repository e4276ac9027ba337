/** Finds a table for *Play now*. */
import { api } from '../kit/api.js';
import { usualSeats } from '../kit/games.js';
import { fillLater, openTable, sitDown } from '../kit/opening.js';
import { isOwn } from './listing.js';

const MAX_TRIES = 3;
const MAX_LISTED = 20;

/** Returns a table of this game at which the player sits now. */
export const joinOrOpen = async (game) => await join(game.name) ?? open(game);

/** Sits down with somebody who is there and waits; returns the table, or nothing. */
async function join(game) {
  const { tables } = await api.get('/v1/tables', { query: { phase: 'open', game, limit: MAX_LISTED } });
  const own = tables.find(isOwn);
  if (own) return own.id;
  const waiting = tables.filter(({ free_seats: free, options, parent }) => (
    free.length && !parent && !Object.keys(options).length));
  for (const { id, host, seats } of waiting.slice(0, MAX_TRIES)) {
    // A host who has gone would never start. Where presence is hidden, nobody can tell.
    const { seats: connected } = await api.get(`/v1/tables/${id}/presence`).catch(() => ({ seats: [] }));
    if (!connected.some((seat) => seats[seat]?.player === host)) continue;
    try {
      await sitDown(id);
      return id;
    } catch (problem) {
      if (problem.status !== 422) throw problem; // somebody else was faster
    }
  }
  return undefined;
}

async function open({ name, seats }) {
  const table = await openTable({ game: name, seats: usualSeats(seats) });
  fillLater(table);
  return table;
}
