/**
 * Reveals an entrant's seed within the ten seconds a round waits for it, even if no tab shows the tournament.
 *
 * A visible tournament page does this itself. When it is left or hidden, `watch` takes over: it follows the
 * tournaments in which this browser has an unrevealed commitment, each in a single tab.
 */
import { api } from '../kit/api.js';
import { revealSeeds } from '../kit/seeds.js';
import { session, storage } from '../kit/session.js';
import { follow } from '../kit/stream.js';
import { entrantOf, isOver } from './view.js';

const AWAITED = 'hoodwink.entries';
// Browsers allow only six connections per server.
const MAX_FOLLOWED = 2;

const noted = () => JSON.parse(storage.read(AWAITED) ?? '{}');

function write(id, me) {
  const tournaments = noted();
  if ((tournaments[id] ?? null) === me) return;
  if (me) tournaments[id] = me;
  else delete tournaments[id];
  storage.write(AWAITED, JSON.stringify(tournaments));
}

/** Reveals the awaited seed; returns and remembers whether one is still unrevealed. */
export function guardSeeds(view) {
  const me = session.player?.id;
  if (!me) return false;
  const isAwaited = !isOver(view) && Boolean(entrantOf(view, me)?.seed_commitment);
  write(view.id, isAwaited ? me : null);
  revealSeeds(api, view, me);
  return isAwaited;
}

/** Abort controllers by tournament. */
const watched = new Map();

export function watch() {
  if (!session.player) return;
  for (const id of Object.keys(noted()).slice(0, MAX_FOLLOWED)) if (!watched.has(id)) begin(id);
}

/** Hands a tournament over to the page that shows it. */
export function unwatch(id) {
  watched.get(id)?.abort();
  watched.delete(id);
}

function begin(id) {
  const stop = new AbortController();
  watched.set(id, stop);
  const work = () => untilRevealed(id, stop.signal);
  const done = navigator.locks
    ? navigator.locks.request(`hoodwink.reveal.${id}`, { signal: stop.signal }, work)
    : work();
  done
    .catch(() => {})
    .then(() => {
      if (watched.get(id) === stop) watched.delete(id);
    });
}

function untilRevealed(id, signal) {
  const path = `/v1/tournaments/${id}`;
  return new Promise((resolve) => {
    const end = () => {
      close();
      resolve();
    };
    const forget = () => {
      write(id, null);
      end();
    };
    const look = async () => {
      const answer = await api.get(path).catch(() => null);
      if (answer && !signal.aborted && !guardSeeds(answer.tournament)) end();
    };
    const close = follow(`${path}/events`, {
      onMessages: (messages) => (messages.some(({ type }) => type === 'end') ? forget() : look()),
      onProblem: forget,
    });
    signal.addEventListener('abort', end);
  });
}
