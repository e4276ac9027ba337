/** What the log of a tournament says about its rounds, and about the seeds that count in them. */

import { tournamentTable } from './draws.js';
import { fingerprint } from './hashing.js';
import { Fault, readLog } from './log.js';

/** The most deals at a board: a knockout adds at most three. */
const MAX_DEALS = 4;

/**
 * @typedef {object} Round
 * @property {string[]} seeds as they count, in order of starting rank
 * @property {string[]} players who held the places in this round, in order of starting rank
 * @property {(number|null)[][]} boards the starting ranks at each board, in seat order
 * @property {{board: number, deal: number}[]} further deals that a knockout added, with their `seats`
 */

/** The effects of events. `check` notes a fault. */
const EVENTS = {
  'tournament.duplicate_chosen'(facts, { fields, version }, check) {
    check(version === 2, 'Only an opening can choose the same deal for all tables.');
    facts.compare = fields.compare;
  },
  'tournament.admission_chosen'(facts, { fields }) {
    facts.approval = fields.admission.approval;
  },
  'tournament.co_organiser_named'(facts, { fields }) {
    facts.organisers.set(fields.player, `co_organiser:${fields.player}`);
  },
  'tournament.co_organiser_removed'(facts, { fields }) {
    facts.organisers.delete(fields.player);
  },
  'tournament.entry_accepted'(facts, { fields, by }) {
    if ([...facts.organisers.values()].includes(by)) facts.accepted.add(fields.entrant);
  },
  'tournament.entries_offered'(facts, { fields, by }) {
    if (![...facts.organisers.values()].includes(by)) return;
    for (const player of fields.players) facts.accepted.add(player);
  },
  'tournament.offers_withdrawn'(facts, { fields }) {
    for (const player of fields.players) facts.accepted.delete(player);
  },
  'tournament.offer_declined'(facts, { fields }) {
    facts.accepted.delete(fields.player);
  },
  'tournament.entered'(facts, { fields, line }) {
    const { entrant } = fields;
    facts.entered.push({ ...fields, line, isAccepted: facts.accepted.delete(entrant), isOwn: facts.organisers.has(entrant) });
    facts.seeds.set(fields.entrant, { text: '', commitment: fields.seed_commitment });
    facts.policies.set(fields.entrant, fields.policy);
    if (fields.number) {
      facts.entrants[fields.number - 1] = fields.entrant;
      facts.firstRounds.set(fields.number, fields.from_round);
    }
  },
  'tournament.entrant_substituted'(facts, { fields }) {
    handOver(facts, fields);
    facts.seeds.set(fields.player, { text: '', commitment: fields.seed_commitment });
  },
  'tournament.substitution_reversed'(facts, { fields }) {
    handOver(facts, fields);
    facts.seeds.set(fields.player, { text: '', commitment: '' });
  },
  'tournament.started'(facts, { fields }) {
    facts.entrants = [...fields.entrants];
  },
  'tournament.checked_in'(facts, { fields }) {
    if (fields.seed_commitment) seedOf(facts, fields.entrant).commitment = fields.seed_commitment;
  },
  'tournament.entrant_seed_revealed'(facts, { fields, line }) {
    const held = seedOf(facts, fields.entrant);
    facts.reveals.push({ ...fields, commitment: held.commitment, line });
    Object.assign(held, { text: fields.seed, commitment: '' });
  },
  'tournament.entrant_seeds_missed'(facts, { fields }) {
    for (const entrant of fields.entrants) Object.assign(seedOf(facts, entrant), { text: '', commitment: '' });
  },
  'tournament.round_opened'(facts, { fields }) {
    const seeds = facts.entrants.map((entrant) => seedOf(facts, entrant).text);
    const { round, sitting, tables: boards, absent, unplayed } = fields;
    const players = [...facts.entrants];
    facts.rounds.set(round, { round, sitting, seeds, players, boards, absent, unplayed, further: [], tables: [], released: null });
  },
  'tournament.pairing_changed'(facts, { fields }) {
    const round = roundOf(facts, fields);
    const byes = new Set(fields.byes);
    // A changed pairing only exchanges who has the pairing byes.
    const kept = round.unplayed.filter(({ why }) => why !== 'pairing_bye');
    const { format, bye_score: bye } = facts.opened.setup;
    const score = format === 'round_robin' ? '0' : bye;
    const given = [...byes].map((entrant) => ({ entrant, why: 'pairing_bye', score }));
    Object.assign(round, { boards: fields.tables, unplayed: [...kept, ...given] });
  },
  'tournament.pairing_dropped'(facts, { fields }) {
    facts.rounds.delete(fields.round);
  },
  'tournament.deal_added'(facts, { fields }) {
    roundOf(facts, fields).further.push(fields);
  },
  'tournament.tables_opened'(facts, { fields }) {
    for (const table of fields.tables) tableOf(facts, table);
  },
  'tournament.table_sealed'(facts, { fields, line }) {
    tableOf(facts, fields.table).seal = { ...fields, line };
  },
  'tournament.deal_released'(facts, { fields, line }) {
    roundOf(facts, fields).released = { ...fields, line };
  },
  'tournament.table_reported'(facts, { fields, line }) {
    tableOf(facts, fields.table).report = { ...fields, line };
  },
  'tournament.table_voided'(facts, { fields }) {
    facts.voids.push(fields);
  },
  'tournament.void_scored'(facts, { fields }) {
    facts.voidScores.set(`${fields.round}:${fields.board}`, fields.score);
  },
};

/** The other events that change neither seeds and tables nor scores. */
const QUIET = /^tournament\.(opened|registration_opened|invitation_replaced|entry_(requested|declined)|request_withdrawn|withdrew|expelled|entrants_ordered|check_in_opened|said_absent|seeds_called|bye_(requested|assigned)|entrant_withdrawn|marked_absent|rounds_added|place_(offered|declined)|(absence|withdrawal|added_rounds)_reversed|arbiter_(named|removed)|described|announced|table_stopped|round_(started|completed)|seat_given_up|tiebreaks_changed|sitting_rescheduled|paused|resumed|clocks_moved|(deals|teams?)_chosen|team_code_replaced|arena_chosen|series_joined|bell_rung|overtime_ended|finished|cancelled|seed_revealed)$/;

const known = (found) => {
  if (!found) throw new Error();
  return found;
};
const seedOf = ({ seeds }, entrant) => known(seeds.get(entrant));
const handOver = (facts, { entrant, player }) => {
  facts.entrants = facts.entrants.map((other) => (other === entrant ? player : other));
};
const roundOf = ({ rounds }, { round }) => known(rounds.get(round));
/** Returns a table of the tournament. It may end so early that its end comes before `tables_opened`. */
const tableOf = ({ tables }, table) => {
  if (!tables.has(table)) tables.set(table, { table, seal: null, report: null, isVoid: false });
  return tables.get(table);
};

/**
 * Returns what a tournament's log says; throws `Fault`. Each round has its `tables`, with their places, seats, seals
 * and reports.
 */
export async function readTournament(text, breathe) {
  const { header, entries } = await readLog(text, breathe, 'tournament');
  const [first] = entries;
  if (first?.kind !== 'tournament.opened') throw new Fault(2, 'The first event does not open a tournament.');
  const facts = {
    ...{ header, entries, opened: first.fields, compare: null, entrants: [], faults: [], reveals: [], voids: [] },
    ...{ seeds: new Map(), policies: new Map(), firstRounds: new Map(), rounds: new Map(), tables: new Map() },
    ...{ voidScores: new Map(), approval: false, accepted: new Set(), entered: [],
      organisers: new Map([[first.fields.organiser, 'organiser']]) },
    isKnown: entries.every(({ kind }) => Object.hasOwn(EVENTS, kind) || QUIET.test(kind)),
  };
  for (const entry of entries) {
    const check = (isRight, message) => isRight || facts.faults.push({ message, line: entry.line });
    try {
      if (Object.hasOwn(EVENTS, entry.kind)) EVENTS[entry.kind](facts, entry, check);
    } catch {
      throw new Fault(entry.line, 'This event does not fit the earlier ones.');
    }
  }
  await placeTables(facts);
  return facts;
}

/** Gives each table its place. Its id follows from the place. */
async function placeTables({ opened, rounds, tables, voids, policies }) {
  for (const round of rounds.values()) {
    for (const [index, first] of round.boards.entries()) {
      const board = index + 1;
      for (let deal = 1; deal <= MAX_DEALS; deal += 1) {
        const further = round.further.find((added) => added.board === board && added.deal === deal);
        const seats = deal === 1 ? first : further?.seats;
        if (!seats) continue;
        const { table: id } = await tournamentTable(opened.server_seed, { ...opened, round: round.round, board, deal });
        const table = tables.get(id);
        if (!table) continue;
        const isVoid = voids.some((other) => other.round === round.round && other.board === board && other.deal === deal);
        const players = seats.map((number) => playerAt(number, round.players, policies));
        Object.assign(table, { round: round.round, board, deal, seats, players, isVoid });
        round.tables.push(table);
      }
    }
  }
}

function playerAt(number, entrants, policies) {
  const entrant = entrants[number - 1];
  const policy = number === null ? 'steady' : policies.get(entrant);
  return policy ? `bot:${policy}` : entrant;
}

/** Notes whether the organiser accepted each player before they entered, where entries need that (T-26). */
export function checkEntries({ approval, entered }, note) {
  const decided = approval ? entered.filter(({ policy, isOwn }) => !policy && !isOwn) : [];
  for (const { entrant, isAccepted, line } of decided) {
    note(isAccepted, `The organiser accepted ${entrant}.`, `${entrant} entered without the decision of the organiser.`, line);
  }
}

/** Notes whether each revealed seed is the one that its entrant had committed to. */
export async function checkReveals({ faults, reveals }, note) {
  faults.forEach(({ message, line }) => note(false, '', message, line));
  for (const { entrant, seed, commitment, line } of reveals) {
    const isRight = /^[0-9a-f]{32,64}$/.test(seed) && (await fingerprint(seed)) === commitment;
    note(isRight, `Entrant ${entrant} revealed the seed committed to before.`, 'A different seed was committed to.', line);
  }
}
