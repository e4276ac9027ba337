/**
 * The checks of a log. Each takes the first line and the parts (a fork's copies of its parents, the oldest first, and
 * its own events), and calls `note(passed, right, wrong, line)` for each fact, with the texts for a right one (empty if
 * not worth mentioning) and for a wrong one.
 */

import { firstBreak } from './chain.js';
import { DEALINGS, cutDealer, nextDealer } from './deals.js';
import { Draw, drawKey, tournamentTable } from './draws.js';
import { seedsOf } from './facts.js';
import { bytesOf, fingerprint } from './hashing.js';

/** The edition of docs/FAIRNESS.md that is checked here. */
const EDITION = 3;

const same = (first, second) => JSON.stringify(first) === JSON.stringify(second);

export function order({ header, parts, own: { opened, entries }, note }) {
  for (const part of parts) {
    const isKnown = part.opened.edition === EDITION;
    note(isKnown, '', 'This page does not know the edition of the table.', part.entries[0].line);
    let latest = 0;
    part.entries.forEach(({ version, at, line }, i) => {
      note(version === i + 1, '', `Event ${version} is where event ${i + 1} belongs.`, line);
      note(at >= latest, '', 'Time runs backwards.', line);
      latest = at;
    });
  }
  const { format, table, version } = header;
  const isFormat = format === `hoodwink-log/${EDITION}`;
  note(isFormat, `The table has edition ${EDITION}.`, 'The first line names another edition.', 1);
  note(table === opened.table, `This is table ${table}.`, 'The first line names another table.', 1);
  const count = entries.length;
  note(version === count, `There are ${count} events.`, `There are ${count} events of ${version}.`, 1);
  const end = entries.findIndex(({ kind }) => kind === 'table.seed_revealed');
  const isWhole = entries.slice(end + 1).every(({ kind }) => /^table\.(voided|rematch_opened)$/.test(kind));
  note(end > 0 && isWhole, '', 'The last event does not reveal the secret.', count + 1);
}

export async function secret({ parts, own: { opened, entries }, note, tournament }) {
  for (const part of parts) {
    const { server_seed: seed, commitment, table } = part.opened;
    const isRight = /^[0-9a-f]{64}$/.test(seed) && (await fingerprint(seed)) === commitment;
    const text = `Table ${table} published the fingerprint ${commitment} and revealed the secret ${seed}.`;
    note(isRight, text, `${text} They do not match.`, part.entries[0].line);
  }
  const end = entries.find(({ kind }) => kind === 'table.seed_revealed');
  note(end?.fields.server_seed === opened.server_seed, '', 'A different secret was revealed.', end?.line);
  if (!tournament || !opened.tournament) return;
  const due = await tournamentTable(tournament.server_seed, opened.tournament);
  const isKnown = (await fingerprint(tournament.server_seed)) === tournament.commitment;
  const isRight = isKnown && same([due.table, due.server_seed], [opened.table, opened.server_seed]);
  const from = "follow from the tournament's secret";
  note(isRight, `Id and secret ${from}.`, `Id or secret do not ${from}.`, 2);
}

const SEEDS = {
  plain: 'had a seed that everybody could read before the start.',
  committed: 'committed to a seed, which was not needed.',
  revealed: 'committed to a seed and revealed it.',
  missed: 'committed to a seed and did not reveal it in time, so it counts as empty.',
};

export async function seeds({ parts, own, note, who }) {
  for (const part of parts) {
    part.faults.forEach(({ message, line }) => note(false, '', message, line));
    for (const { status, text, commitment, line } of seedsOf(part)) {
      const isRight = /^[0-9a-f]{32,64}$/.test(text) && (await fingerprint(text)) === commitment;
      note(status !== 'revealed' || isRight, '', 'A different seed was committed to.', line);
    }
  }
  for (const [seat, { status, line }] of [...own.seats.entries(), [null, own.host]]) {
    if (status in SEEDS) note(status === 'revealed' || null, `${who(seat)} ${SEEDS[status]}`, '', line);
  }
}

export async function chain({ header, parts, own, note, breathe }) {
  note(!parts[0].opened.parent, '', 'The log of the table that this one continues is missing.', 3);
  let before;
  for (const { entries, opened } of parts) {
    const { version, line } = (await firstBreak(entries, opened.server_seed, breathe)) ?? {};
    note(!line, `${entries.length} events are sealed.`, `The seal of event ${version} does not match.`, line);
    if (before) {
      const { table, game, seats } = before.opened;
      const due = { table, version: before.entries.length, head: before.entries.at(-1).hash };
      const isDue = same([opened.parent, opened.game, opened.seats], [due, game, seats]);
      const from = `table ${table} from event ${due.version}`;
      note(isDue, `It continues ${from}.`, `It does not continue ${from}.`, entries[0].line);
    }
    before = { entries, opened };
  }
  note(header.head === own.entries.at(-1).hash, '', 'The first line has a different seal from the last event.', 1);
}

/** Notes the dealers, and with `noteCards` whether each deal is what the shuffled deck leads to. */
export async function deals({ parts, own, who, breathe, note, noteCards }) {
  const dealing = DEALINGS[own.opened.game];
  if (!dealing) return;
  let [round, dealer] = [0, null];
  for (const part of parts) {
    const { opened, entries } = part;
    const { table, game, seats, options } = opened;
    const where = part === own ? '' : ` of table ${table}, whose cards everybody can read`;
    const key = await deckKey(part);
    const draw = (label) => new Draw(key, `v2:${label}`);
    for (const { kind, fields, line } of entries) {
      if (kind === 'shithead.shithead_named') dealer = fields.order.at(-1);
      const isScored = kind === 'table.round_scored';
      noteCards(!isScored || fields.round === round, '', 'This round was not dealt.', line);
      if (kind !== dealing.event) continue;
      if (!round) dealer = await firstDealer({ opened, entries, draw, note });
      round += 1;
      const given = fields[dealing.dealer ?? 'dealer'];
      const name = `Round ${round}${where}`;
      note(given === dealer, `${name}: ${who(dealer)} deals.`, `${name}: ${who(dealer)} should deal.`, line);
      const deck = await draw(`deck:${round}`).shuffled(dealing.pack(seats, options));
      const due = { round, ...dealing.deal(deck, seats, given, options) };
      const wrong = Object.keys(due).filter((zone) => !same(due[zone], fields[zone]));
      const [good, bad] = [`${deck.length} cards as shuffled`, `not as shuffled: ${wrong.join(', ')}`];
      noteCards(!wrong.length, `${name}: ${good}.`, `${name}: ${bad}.`, line);
      dealer = nextDealer(game, given, seats, options);
      await breathe();
    }
  }
}

/** The decks follow from the table's secret and seeds, or from the key of the deal that it shares with others. */
const deckKey = (part) => (part.shared
  ? bytesOf(part.shared.key)
  : drawKey(part.opened.server_seed, seedsOf(part).map(({ text }) => text)));

async function firstDealer({ opened, entries, draw, note }) {
  const { first_dealer: named, tournament, parent, game, seats } = opened;
  const cut = entries.find(({ kind }) => kind === 'blind_don.dealer_cut');
  if (Number.isInteger(named)) {
    const isRight = !named && !cut && Boolean(tournament || parent);
    note(isRight, '', 'The first dealer may not be named.', entries[0].line);
    return named;
  }
  if (game !== 'blind_don') return draw('seat:0').below(seats);
  const due = cutDealer(await draw('deck:0').shuffled(DEALINGS.blind_don.pack()));
  note(same(cut?.fields, due), 'The cut is as shuffled.', 'The cut is not as shuffled.', cut?.line);
  return due.dealer;
}

export function scores({ parts, own, note }) {
  let totals = Array(own.opened.seats).fill(0);
  const resigned = own.entries
    .filter(({ kind }) => kind === 'table.seat_resigned' || kind === 'table.no_show')
    .map(({ fields }) => fields.seat);
  for (const { kind, fields, line } of parts.flatMap(({ entries }) => entries)) {
    if (kind !== 'table.round_scored') continue;
    totals = totals.map((total, seat) => total + fields.deltas[seat]);
    const name = `Round ${fields.round}: the totals`;
    const sums = totals.join(', ');
    note(same(totals, fields.totals), `${name} are ${sums}.`, `${name} should be ${sums}.`, line);
  }
  const [voided] = own.entries.filter(({ kind }) => kind === 'table.voided');
  if (voided) note(null, 'The result does not count: an administrator voided the table.', '', voided.line);
  const { fields, line } = own.entries.find(({ kind }) => kind === 'table.ended') ?? {};
  if (!fields?.scores) return;
  // The bots that fill a table are placed behind the only entrant who appeared (T-6).
  const isAlone = fields.outcome === 'last_seat' && resigned.length < totals.length - 1;
  if (isAlone) resigned.push(...(own.opened.tournament?.fillers ?? []));
  const places = totals.map((total, seat) => {
    const at = resigned.indexOf(seat);
    if (at >= 0) return totals.length - at;
    return 1 + totals.filter((other, i) => other > total && !resigned.includes(i)).length;
  });
  const isRight = same([totals, places], [fields.scores, fields.places]);
  const result = `${totals.join(', ')}, and the places ${places.join(', ')}.`;
  note(isRight, `The final scores are ${result}`, `The final scores should be ${result}`, line);
}

export async function memories({ own, note, kept }) {
  const { version, head, commitment, seeds: drawn = kept.seed ? [kept] : [] } = kept;
  if (head) {
    const name = `The seal of event ${version}`;
    const isSame = own.entries[version - 1]?.hash === head;
    note(isSame, `${name} is the same.`, `${name} was different.`, version + 1);
  }
  if (commitment) {
    const name = 'The fingerprint of the secret';
    note(own.opened.commitment === commitment, `${name} is the same.`, `${name} was different.`, 2);
  }
  for (const { seed, role, isRevealed } of drawn) {
    const print = await fingerprint(seed);
    const found = seedsOf(own).find(({ text, commitment: made }) => made === print || text === seed);
    const { status, line = 2 } = found ?? {};
    const isUsed = status === 'revealed' || status === 'plain';
    // The seed may have been withdrawn with its seat, and an entrant's may be for another round.
    const isRight = found || role === 'entrant' || own.commitments.includes(print);
    const passed = isRight ? isUsed || null : false;
    note(passed, found && `You ${SEEDS[status]}`, 'Your seed is not in the log.', line);
    note(status !== 'missed' || !isRevealed, '', 'The service had accepted your seed in time.', line);
  }
}
