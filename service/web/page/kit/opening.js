/**
 * Opens tables and takes seats, with a seed of the player's own for every shuffle.
 *
 * The seeds are committed to here. They are revealed wherever the start is seen,
 * in the table's room and in the news.
 */
import { Problem, api } from './api.js';
import { keepSeed, prepareSeed } from './seeds.js';
import { join, meet } from './joining.js';
import { storage } from './session.js';
import { duration } from './words.js';

const FILLING = 'hoodwink.filling';

/** Remembers the table that *Play now* opened, at which bots take the free seats after a while. */
export const fillLater = (table) => storage.write(FILLING, table);

export const isFilledLater = (table) => storage.read(FILLING) === table;

/** The longest time for a round's count if nobody else waits. */
const READING_MS = 60_000;

/**
 * Opens a table, seats the player and, with `bots`, a bot in every other seat, and starts it then.
 *
 * @param {{bots?: string} & object} opening the policy of the bots, and the fields of
 *   `POST /v1/tables`: `game`, `seats`, `options`, `private`, `watch`, `rated`, `take_backs`,
 *   `turn_seconds`, `bot_delay`, `round_pause`; the service decides on undefined ones
 * @returns {Promise<string>} the id of the table
 */
export async function openTable({ bots, ...chosen }) {
  // Bots do not mind when a person takes a while to read the count, or takes an action back. Nothing is rated there.
  const fields = bots ? { take_backs: true, rated: false, ...chosen, round_pause: chosen.round_pause ?? READING_MS } : chosen;
  const [seed] = await Promise.all([prepareSeed(), bots ? join() : meet()]);
  const { view } = await api.post('/v1/tables', { ...fields, seed_commitment: seed?.commitment });
  const path = `/v1/tables/${view.id}`;
  if (seed) keepSeed(view.id, 'host', seed);
  try {
    const others = bots ? Array.from({ length: fields.seats - 1 }, (_, index) => index + 1) : [];
    await Promise.all([
      takeSeat(view.id, { seat: 0 }),
      ...others.map((seat) => api.post(`${path}/seats`, { seat, policy: bots })),
    ]);
    if (bots) await api.post(`${path}/start`);
  } catch (problem) {
    // A table that nobody entered would stay in the lobby, and count against its host.
    api.post(`${path}/close`, { confirm: true }).catch(() => {});
    throw problem;
  }
  return view.id;
}

/** Takes a seat at a table: the given one, the one kept for the player, or else the first free one. */
export async function sitDown(table, chosen) {
  await meet();
  return takeSeat(table, chosen);
}

async function takeSeat(table, { seat, invitation } = {}) {
  const seed = await prepareSeed();
  const take = (more) => api.post(`/v1/tables/${table}/seats`, { seat, ...more }, { invitation });
  if (!seed) return take();
  const seated = await take({ seed_commitment: seed.commitment });
  keepSeed(table, 'seat', seed);
  return seated;
}

/** Why a table could not be opened or a seat taken, and when to try again. */
export function refusal(problem) {
  if (!(problem instanceof Problem)) return 'Something on this page went wrong.';
  const { detail, retryAfter, status, requestId } = problem;
  const again = retryAfter ? ` Try again in ${duration(retryAfter * 1000)}.` : '';
  return `${detail}${again}${status >= 500 && requestId ? ` (Request ${requestId})` : ''}`;
}
