/**
 * Reveals the seeds of an entrant within the ten seconds that a round waits for them, whatever a tab shows.
 *
 * The page of a tournament hears of the call by itself while it is looked at. `watch` goes on where it was left
 * or hidden: it follows the tournaments in which a commitment of this browser is not revealed yet, each of them
 * in one tab.
 */
import { api } from '../kit/api.js';
import { revealSeeds } from '../kit/seeds.js';
import { session, storage } from '../kit/session.js';
import { follow } from '../kit/stream.js';
import { entrantOf, isOver } from './view.js';

const AWAITED = 'hoodwink.entries';
// Browsers open only six connections to a service.
const MOST_FOLLOWED = 2;

const noted = () => JSON.parse(storage.read(AWAITED) ?? '{}');

function write(id, me) {
  const tournaments = noted();
  if ((tournaments[id] ?? null) === me) return;
  if (me) tournaments[id] = me;
  else delete tournaments[id];
  storage.write(AWAITED, JSON.stringify(tournaments));
}

/** Reveals what the tournament waits for, and remembers whether something is still to be revealed in it. */
export function guardSeeds(view) {
  const me = session.player?.id;
  if (!me) return false;
  const isAwaited = !isOver(view) && Boolean(entrantOf(view, me)?.seed_commitment);
  write(view.id, isAwaited ? me : null);
  revealSeeds(api, view, me);
  return isAwaited;
}

/** What ends the following of each tournament. */
const watched = new Map();

/** Follows the tournaments in which something is still to be revealed. */
export function watch() {
  if (!session.player) return;
  for (const id of Object.keys(noted()).slice(0, MOST_FOLLOWED)) if (!watched.has(id)) begin(id);
}

/** Leaves a tournament to the page that shows it. */
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
