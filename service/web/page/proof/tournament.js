/**
 * Checks the log of a tournament together with the logs of its tables by docs/FAIRNESS.md, without code from the service.
 */

import { firstBreak } from './chain.js';
import { duplicateScores } from './comparisons.js';
import { DEALINGS } from './deals.js';
import { tournamentTable } from './draws.js';
import { fingerprint } from './hashing.js';
import { breather } from './log.js';
import { collector } from './reports.js';
import { checkDeal, checkRelease, checkSeals } from './shared_deals.js';
import { checkEntries, checkReveals, readTournament } from './tournament_facts.js';
import { inspect } from './verify.js';

/** The editions that are checked here. They differ only in pairings, which are not. */
const EDITIONS = [2, 3];

const CHECKS = {
  order: ['The file', 'Every event is in its place.', 'The service exports no such file.'],
  secret: [
    "The tournament's secret",
    'The service committed to its secret before anybody entered; the secret it revealed has that fingerprint.',
    'The service revealed a different secret from the one it had committed to.',
  ],
  seeds: [
    "The entrants' seeds",
    'Every revealed seed is the one that its entrant had committed to.',
    'A seed was replaced.',
    'Nobody revealed a seed, so the service could have tried many secrets beforehand.',
  ],
  entries: [
    'The entries',
    'The organiser accepted every player who entered.',
    'A player entered whom the organiser had not accepted.',
    'The organiser did not have to decide about entries.',
  ],
  chain: [
    'The seals',
    'Each event is sealed with all earlier ones, and all seals match: nothing was changed, removed or moved.',
    'Something was changed, removed or moved after it happened.',
  ],
  tables: [
    'The tables',
    'The log of every table passed its own check. Its secret and its players are those that the tournament gave it, and ' +
      'its result is the one that the tournament counted.',
    "A table does not agree with the tournament's log.",
    'No table was opened.',
  ],
  deals: [
    'The shared deals',
    "The key of each deal follows from the tournament's secret and seeds, and all its tables were dealt the same cards.",
    'A table was dealt other cards than the tournament had committed to.',
    'Every table had a deal of its own.',
  ],
  releases: [
    'The releases',
    'Each deal was released after its last table had ended, and results were reported after that.',
    'A deal was released or reported too early, or a log was changed after the end of its table.',
    'There was no deal to release.',
  ],
  scores: [
    'The scores',
    'The scores in the standings follow from the comparisons.',
    'The scores in the standings do not follow from the comparisons.',
    'The comparisons were not checked.',
  ],
};

const NOT_CHECKED =
  'Not checked here: pairings, tie-breaks, and whether each action was legal. ' +
  "The service's own check and the command `hoodwink verify` do that.";

const same = (first, second) => JSON.stringify(first) === JSON.stringify(second);

/**
 * Never rejects; a text that is no log fails.
 *
 * @param {string} text the exported log of the tournament
 * @param {string[]} logs the exported logs of its tables, in any order
 * @param {object} [given]
 * @param {{entrant: number, score: string}[]|null} [given.standings] the rows that the service shows
 * @param {(checked: number) => void} [given.onProgress] receives the number of tables checked so far
 */
export async function verifyTournament(text, logs, { standings = null, onProgress = () => {} } = {}) {
  const { noteIn, attempt, report } = collector(CHECKS, ['entries', 'deals', 'releases', 'scores']);
  const breathe = breather();
  const facts = await attempt('order', () => readTournament(String(text), breathe));
  if (facts) {
    await attempt('order', (note) => checkOrder(facts, note));
    await attempt('secret', (note) => checkSecret(facts, note));
    await attempt('seeds', (note) => checkReveals(facts, note));
    await attempt('entries', (note) => checkEntries(facts, note));
    await attempt('chain', (note) => checkChain(facts, note, breathe));
    const read = await checkTables(facts, logs, { noteIn, attempt, onProgress });
    if (facts.compare) {
      for (const log of read) await attempt('deals', (note) => checkOneDeal(facts, log, note, noteIn('releases')));
      await attempt('deals', (note) => checkEquality(facts, read, note));
      await attempt('scores', (note) => checkScores(facts, standings, note));
    }
    await attempt('releases', (note) => checkSeals(facts, note));
  }
  return { ...report(), notChecked: NOT_CHECKED, tables: facts?.tables.size ?? 0 };
}

function checkOrder({ header, opened, entries }, note) {
  const { format, tournament, version } = header;
  const { edition } = opened;
  note(EDITIONS.includes(edition), '', 'This page does not know the edition of the tournament.', 2);
  const isFormat = format === `hoodwink-tournament-log/${edition}`;
  note(isFormat, `The tournament has edition ${edition}.`, 'The first line names another edition.', 1);
  note(tournament === opened.tournament, '', 'The first line names another tournament.', 1);
  const count = entries.length;
  note(version === count, `There are ${count} events.`, `There are ${count} events of ${version}.`, 1);
  let latest = 0;
  entries.forEach(({ version: number, at, line }, index) => {
    note(number === index + 1, '', `Event ${number} is where event ${index + 1} belongs.`, line);
    note(at >= latest, '', 'Time runs backwards.', line);
    latest = at;
  });
}

async function checkSecret({ opened, entries }, note) {
  const { server_seed: seed, commitment } = opened;
  const isRight = (await fingerprint(seed)) === commitment && /^[0-9a-f]{64}$/.test(seed);
  const text = `The service published the fingerprint ${commitment} and revealed the secret ${seed}.`;
  note(isRight, text, `${text} They do not match.`, 2);
  const end = entries.find(({ kind }) => kind === 'tournament.seed_revealed');
  note(end?.fields.server_seed === seed, '', 'The log does not reveal the secret.', end?.line ?? entries.length + 1);
}

async function checkChain({ header, opened, entries }, note, breathe) {
  const { version, line } = (await firstBreak(entries, opened.server_seed, breathe)) ?? {};
  note(!line, `${entries.length} events are sealed.`, `The seal of event ${version} does not match.`, line);
  note(header.head === entries.at(-1).hash, '', 'The first line has a different seal from the last event.', 1);
}

/** Checks the log of each table by itself and against the tournament's log; returns what was read. */
async function checkTables(facts, logs, { noteIn, attempt, onProgress }) {
  const missing = new Set(facts.tables.keys());
  const read = [];
  for (const [index, text] of logs.entries()) {
    const { report, log } = await inspect(text);
    const id = log?.own.opened.table ?? `in file ${index + 1}`;
    const noteAt = (note) => (passed, right, wrong, line) => note(passed, right, wrong, line, id);
    await attempt('tables', async (given) => {
      const note = noteAt(given);
      const { text: wrong, line } = report.fault ?? {};
      note(report.passed, '', `Table ${id}: ${wrong}`, line ?? null);
      const table = facts.tables.get(id);
      const round = facts.rounds.get(table?.round);
      const isOurs = Boolean(log && round && missing.delete(id));
      note(isOurs, '', `The tournament has no table ${id}, or its log was given twice.`, 2);
      if (!isOurs) return;
      read.push({ own: log.own, table, round });
      await checkTable(facts, { own: log.own, table, round }, note);
    });
    onProgress(index + 1);
  }
  for (const table of missing) noteIn('tables')(false, '', `The log of table ${table} is missing.`);
  return read;
}

/** Notes whether a table was opened as the tournament ordered, and whether its result was counted as it is. */
async function checkTable(facts, { own, table, round }, note) {
  const { opened, entries, seats } = own;
  const name = `Table ${table.table}`;
  const due = await tournamentTable(facts.opened.server_seed, { ...facts.opened, ...table });
  note(opened.server_seed === due.server_seed, '',
    `The secret of ${name.toLowerCase()} does not follow from the tournament's.`, 2);
  const { tournament, round: at, board, deal } = opened.tournament ?? {};
  const isPlaced = same([tournament, at, board, deal], [facts.opened.tournament, table.round, table.board, table.deal]);
  note(isPlaced, '', `${name} names another place in the tournament.`, 2);
  const players = entries.filter(({ kind }) => kind === 'table.seat_taken').map(({ fields }) => fields.player);
  note(same(players, table.players), '', `The players at ${name.toLowerCase()} are not those of the pairing.`, 2);
  const brought = table.seats.map((number, seat) => (table.players[seat].includes(':') ? '' : round.seeds[number - 1]));
  note(same(seats.map(({ text }) => text), brought), '', `${name} used other seeds than its entrants'.`, 2);
  const { report } = table;
  const end = entries.find(({ kind }) => kind === 'table.ended');
  const counted = [report?.head, report?.outcome, report?.places, report?.points];
  const found = [entries[report?.version - 1]?.hash, ...['outcome', 'places', 'scores'].map((key) => end?.fields[key])];
  note(same(counted, found), `${name}: its result is the one that was counted.`,
    `${name}: another result was counted than the one in its log.`, end?.line ?? null);
}

async function checkOneDeal(facts, { own, table, round }, note, noteRelease) {
  const noteAt = (given) => (passed, right, wrong, line) => given(passed, right, wrong, line, table.table);
  await checkDeal({ facts, round, table, own, note: noteAt(note), noteSeal: noteAt(noteRelease) });
  checkRelease(own, noteAt(noteRelease));
}

/** Notes for each deal whether its tables were dealt the same cards wherever the same seat dealt. */
function checkEquality({ rounds }, read, note) {
  for (const { round } of rounds.values()) {
    const dealt = new Map();
    let count = 0;
    for (const { own, table } of read.filter(({ round: at }) => at.round === round)) {
      const { event, dealer = 'dealer' } = DEALINGS[own.opened.game] ?? {};
      for (const { fields, line } of own.entries.filter(({ kind }) => kind === event)) {
        const key = JSON.stringify([own.opened.seats, fields.round, fields[dealer]]);
        const isEqual = same(dealt.get(key) ?? fields, fields);
        const text = `Table ${table.table} was dealt other cards in game round ${fields.round} of deal ${round}.`;
        note(isEqual, '', text, line, table.table);
        dealt.set(key, dealt.get(key) ?? fields);
        count += 1;
      }
    }
    if (count) note(true, `Deal ${round}: ${count} game rounds were dealt from the same decks.`, '');
  }
}

function checkScores(facts, standings, note) {
  if (!standings) return;
  if (!facts.isKnown) {
    note(null, 'The log has events that this page does not know, such as rulings, which may change scores.', '');
    return;
  }
  const scores = duplicateScores(facts);
  const listed = new Set(standings.map(({ entrant }) => entrant));
  const isWhole = standings.length === scores.length && listed.size === scores.length;
  note(isWhole, '', 'The standings do not list every entrant once.');
  for (const { entrant, score } of standings) {
    const due = scores[entrant - 1];
    const text = `Starting rank ${entrant} scores ${due}`;
    note(`${score}` === due, `${text}.`, `${text}, but the standings say ${score}.`);
  }
}
