/** The seeds of players and host in a log, or in a fork's copy of its parent's log. */

import { Fault } from './log.js';

const REVEAL_MS = 10_000;
const SHORTEST_OUTAGE_MS = 3_000;

/** A seed has `status` and `commitment` as in a view, the `text` that counts, and the `line` of its end. */
function broughtSeed({ seed = '', seed_commitment: commitment = '' }) {
  if (commitment) return { status: 'committed', text: '', commitment };
  return { status: seed ? 'plain' : 'none', text: seed, commitment };
}

// No time is before or after it while the table has not started.
const timeLimit = ({ awaitingSince }) => (awaitingSince ?? NaN) + REVEAL_MS;

/** The effects of events on seeds, and on the key of the decks. */
const EVENTS = {
  'table.deal_shared'(part, { fields, version }, holder, check) {
    check(version === 2 && part.opened.tournament, 'Only an opening in a tournament can share a deal.');
    check(/^[0-9a-f]{64}$/.test(fields.key), 'This is no key of a deal.');
    part.shared = fields;
  },
  'table.seat_taken'(part, { fields }, holder, check) {
    check(part.startedAt === null, 'A seat was taken after the start.');
    part.seats[fields.seat] = broughtSeed(fields);
    part.commitments.push(fields.seed_commitment);
  },
  'table.seat_left'(part, { fields }, holder, check) {
    check(part.startedAt === null, 'A seat was left after the start.');
    part.seats[fields.seat] = broughtSeed({});
  },
  'table.host_changed'(part) {
    // Only the former host can reveal the seed, so it no longer counts.
    if (part.host.status === 'committed') part.host = broughtSeed({});
  },
  'table.started'(part, { at }, holder, check) {
    check(part.startedAt === null, 'The table started twice.');
    part.startedAt = at;
    part.awaitingSince = at;
  },
  'table.clocks_moved'(part, { at, fields: { since, until } }, holder, check) {
    check(until - since >= SHORTEST_OUTAGE_MS && until <= at, 'This outage moves no clock.');
    // An outage does not use up the time to reveal a seed.
    part.awaitingSince += Math.max(0, until - Math.max(since, part.awaitingSince));
  },
  'table.player_seed_revealed'(part, { at, line, fields }, holder, check) {
    const isDue = holder?.status === 'committed' && at < timeLimit(part);
    check(isDue, 'This seed was revealed too late or too early to count.');
    Object.assign(holder ?? {}, { status: 'revealed', text: fields.seed, line });
  },
  'table.player_seed_missed'(part, { at, line }, holder, check) {
    const isDue = holder?.status === 'committed' && at >= timeLimit(part);
    check(isDue, 'This seed was recorded as missed before its time was over.');
    Object.assign(holder ?? {}, { status: 'missed', line });
  },
};

/**
 * Returns the entries, the fields of the first (`opened`), the seeds of `host` and of the `seats`, all
 * commitments that were ever made, the deal that the table shares with others, if any, and the faults.
 */
export function partOf(entries) {
  const [{ kind, fields: opened, line }] = entries;
  const isTable = kind === 'table.opened' && Number.isInteger(opened.seats);
  if (!isTable || opened.seats < 2 || opened.seats > 10) {
    throw new Fault(line, 'The first event does not open a table.');
  }
  const { seed_commitment } = opened;
  const host = broughtSeed({ seed_commitment });
  const seats = Array.from({ length: opened.seats }, () => broughtSeed({}));
  const part = { entries, opened, host, seats, startedAt: null, awaitingSince: null, isPlayed: false };
  Object.assign(part, { commitments: [seed_commitment], shared: null, faults: [] });
  for (const entry of entries) follow(part, entry);
  return part;
}

/** The seeds that go into the shuffles. */
export const seedsOf = ({ host, seats }) => [host, ...seats];

function follow(part, entry) {
  const { seat } = entry.fields;
  const check = (isRight, message) => isRight || part.faults.push(new Fault(entry.line, message));
  if (Object.hasOwn(EVENTS, entry.kind)) {
    // Otherwise a property's name, such as `length`, could pass as a seat.
    const isSeat = seat === null || seat === undefined || Object.keys(part.seats).includes(`${seat}`);
    if (!isSeat) throw new Fault(entry.line, 'There is no such seat.');
    EVENTS[entry.kind](part, entry, seat === null ? part.host : part.seats[seat], check);
  }
  if (entry.kind.startsWith('table.') || part.isPlayed) return;
  part.isPlayed = true;
  const isOpen = seedsOf(part).some(({ status }) => status === 'committed');
  check(part.startedAt !== null && !isOpen, 'Play began before all seeds were fixed.');
}
