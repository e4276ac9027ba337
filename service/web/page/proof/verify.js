/**
 * Checks an exported log by docs/FAIRNESS.md. It shares no code with the service, so a player need not trust
 * the service's own check.
 */

import * as checks from './checks.js';
import { partOf } from './facts.js';
import { Fault, breather, keptEntries, readLog } from './log.js';
import { collector } from './reports.js';
import { sharedDeal } from './shared_deals.js';

const MAX_FORKS = 8;

/** Each check's name, and its text if it passes, if it fails, and if there is nothing to check. */
const CHECKS = {
  order: ['The file', 'Every event is in its place.', 'The service exports no such file.'],
  secret: [
    "The service's secret",
    'The service committed to its secret before you sat down; the secret it revealed has that fingerprint.',
    'The service revealed a different secret from the one it had committed to.',
  ],
  seeds: [
    "The players' seeds",
    'Every seed revealed after the start is the one committed to before it. With one random seed among ' +
      'them nobody could choose the cards, not even the service.',
    'A seed was replaced, or counts although it came at the wrong time.',
    'Nobody revealed a committed seed, so the service could have tried many secrets beforehand.',
  ],
  chain: [
    'The seals',
    'Each event is sealed with all earlier ones, and all seals match: nothing was changed, removed or moved.',
    'Something was changed, removed or moved after it happened.',
  ],
  dealers: [
    'The dealers',
    'The first dealer follows from secret and seeds, the others from the rules.',
    'The wrong player dealt.',
    'There was no dealer to check.',
  ],
  cards: [
    'The cards',
    'Each deck was shuffled and dealt again from secret and seeds: every card is where the log says.',
    'The cards dealt are not those that follow from secret and seeds.',
    'No cards were dealt, or this page does not know how the game deals them.',
  ],
  deal: [
    'The shared deal',
    "Its key follows from the tournament's secret and seeds, and the table had ended before it was released.",
    'It is not the one that the tournament had committed to, or it was released too early.',
    "The log of the tournament is missing. It proves where the deal's key comes from.",
  ],
  scores: [
    'The scores',
    'The points of the rounds add up to the totals, which decide the places.',
    'The points do not add up.',
    'No round was scored.',
  ],
  kept: [
    'Records of this browser',
    'The log contains what this browser recorded at the start.',
    'This is not the log of the table that this browser saw. ' +
      'Do not trust it, unless the service restored a backup.',
    'This browser has no records of the table.',
  ],
};

/** The texts that differ for a table that shares its deal with others. */
const SHARED = {
  seeds: CHECKS.seeds.with(3, 'The decks do not depend on the seeds of this table alone, but on those of all entrants.'),
  cards: [
    'The cards',
    'Each deck was shuffled and dealt again from the key of the shared deal: every card is where the log says.',
    'The cards dealt are not those that follow from the key of the shared deal.',
  ],
};

const NOT_CHECKED =
  'Not checked here: whether each action was legal, and whether the points of a round follow from its ' +
  "cards. The service's own check and the command `hoodwink verify` do that.";

/**
 * Never rejects; a text that is no log fails.
 * @typedef {object} Report
 * @property {boolean} passed
 * @property {import('./reports.js').Check[]} checks
 * @property {import('./reports.js').Detail|null} fault what fails first in the file
 * @property {string} notChecked
 * @property {object|null} opened the fields of the first event
 * @param {string} text an exported log
 * @param {object} [given]
 * @param {object|null} [given.kept] what `keptFor` of kit/seeds.js returns
 * @param {string[]} [given.names] of the seats
 * @param {object|null} [given.tournament] the view of the table's tournament, with its server seed
 * @param {string|null} [given.tournamentLog] the tournament's log, if the table shares its deal with others
 * @returns {Promise<Report>}
 */
export async function verify(text, given = {}) {
  const { report, log } = await inspect(text, given);
  return { ...report, notChecked: NOT_CHECKED, opened: log?.own.opened ?? null };
}

/** Checks a log like `verify`, and returns with the report what it has read, or null. */
export async function inspect(text, { kept = null, names = [], tournament = null, tournamentLog = null } = {}) {
  const { noteIn, attempt, report } = collector(CHECKS, ['deal']);
  const breathe = breather();
  const who = (seat) => names[seat] ?? (seat === null ? 'The host' : `Seat ${seat}`);
  const log = await attempt('order', () => parsed(String(text), breathe));
  const given = { ...log, who, breathe, kept, tournament, noteCards: noteIn('cards') };
  const run = (id, check) => attempt(id, (note) => check({ ...given, note }));
  if (log) {
    await run('order', checks.order);
    await run('secret', checks.secret);
    await run('seeds', checks.seeds);
    await run('chain', checks.chain);
    await run('dealers', checks.deals);
    await run('scores', checks.scores);
    if (kept) await run('kept', checks.memories);
    if (log.own.shared) await run('deal', (at) => sharedDeal({ ...at, tournamentLog }));
  }
  return { report: report(log?.own.shared ? SHARED : {}), log };
}

async function parsed(text, breathe) {
  const { header, entries } = await readLog(text, breathe);
  const parts = [partOf(entries)];
  while (parts[0].entries[1]?.kind === 'table.forked') {
    if (parts.length > MAX_FORKS) throw new Fault(3, 'Too many forks follow each other.');
    parts.unshift(partOf(await keptEntries(parts[0].entries[1], breathe)));
  }
  return { header, parts, own: parts.at(-1) };
}
