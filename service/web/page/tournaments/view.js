/**
 * Facts derived from a tournament as returned by `GET /v1/tournaments/{id}`. They decide what the page offers;
 * the service decides what it accepts.
 */

import { serverNow } from '../kit/stream.js';

export const isLive = ({ phase }) => phase === 'running' || phase === 'paused';
export const isOver = ({ phase }) => phase === 'finished' || phase === 'cancelled';

// Starting ranks are assigned at the start.
export const hasStarted = (view) => view.entrants.some(({ number }) => number);
export const entrantOf = (view, id) => view.entrants.find((entrant) => entrant.id === id);
export const remaining = (view) => view.entrants.filter(({ left_after: left }) => left === null);
export const hasByes = ({ setup }) => setup.format === 'swiss' || setup.format === 'league';

export const pairedRound = (view) => view.rounds.find(({ status }) => status === 'paired');
export const startedRounds = (view) => view.rounds.filter(({ status }) => status !== 'paired');
export const nextRound = (view) => startedRounds(view).length + 1;
export const isComplete = (view) => startedRounds(view).every(({ status }) => status === 'complete');

/** The first round for which byes can still be given. */
export const firstUnpaired = (view) => (hasStarted(view) ? nextRound(view) + (pairedRound(view) ? 1 : 0) : 1);

const byesOf = (round) => round.unplayed.filter(({ why }) => why === 'pairing_bye');

function isFinal(view, round) {
  if (view.setup.seats === 2) return round.round >= view.rounds_planned;
  return round.boards.length + byesOf(round).length <= 1;
}

export const isArena = ({ setup }) => setup.format === 'arena';

export function standingsTitle(view, round) {
  if (isArena(view)) return 'Standings';
  return round ? `Standings after round ${round}` : 'Before the first round';
}

export function isRoundLeft(view) {
  if (isArena(view)) return !view.arena?.is_bell_rung;
  if (remaining(view).length < 2) return false;
  if (view.setup.format !== 'knockout') return nextRound(view) <= (view.rounds_planned ?? Infinity);
  const last = startedRounds(view).at(-1);
  return !last || !isFinal(view, last);
}

export const isPlayedOut = (view) => hasStarted(view) && isComplete(view) && !isRoundLeft(view);

/**
 * The sittings with their first and last rounds.
 *
 * @returns {{number: number, first: number, last: number, startsAt: number|null}[]} `last` is Infinity while
 *   the number of rounds is unknown
 */
export function sittings(view) {
  let before = 0;
  return view.setup.sittings.map(({ rounds, starts_at: startsAt }, index) => {
    const rest = (view.rounds_planned ?? Infinity) - before;
    const first = before + 1;
    before += Math.min(rounds ?? rest, rest);
    return { number: index + 1, first, last: before, startsAt };
  });
}

/** The sitting of a round; rounds beyond the plan belong to the last sitting that has any. */
function sittingOf(view, round) {
  const held = sittings(view).filter(({ first, last }) => last >= first);
  return held.find(({ last }) => round <= last) ?? held.at(-1) ?? sittings(view)[0];
}

export const currentSitting = (view) => sittingOf(view, nextRound(view));

/** The first sitting without a paired round; it and later ones can be rescheduled. */
function firstUnbegun(view) {
  if (!hasStarted(view)) return 1;
  const following = view.rounds.length + 1;
  const sitting = sittingOf(view, following);
  return sitting.number + (following === sitting.first ? 0 : 1);
}

/** True if an entrant will be paired in a sitting; bots always are. */
export function isPresent(view, entrant, sitting) {
  if (entrant.policy !== null) return true;
  return (!view.setup.check_in || entrant.checked_in === sitting) && entrant.absent_in !== sitting;
}

export const isEverybodyHere = (view) =>
  remaining(view).every((entrant) => {
    const { number } = currentSitting(view);
    return isPresent(view, entrant, number) || entrant.absent_in === number;
  });

/** The latest table of each board of a round. */
const latest = (round) =>
  round.boards.map((board) => ({ board: board.board, deal: board.tables.at(-1), round }));

/** The id of the player who held an entrant's place in a round. */
const playerIn = ({ id, predecessors }, round) => predecessors.find(({ until }) => until >= round)?.id ?? id;

/** The entrant whose place a player held before. */
export const heldBefore = (view, player) => view.entrants.find(({ id, predecessors }) => (
  id !== player && predecessors.some((before) => before.id === player)));

/** The tables in play of a player who holds, or held, the place of an entrant. */
export function tablesOf(view, entrant, player) {
  const { number } = entrant;
  return startedRounds(view)
    .filter(({ round, status }) => status === 'playing' && playerIn(entrant, round) === player)
    .flatMap(latest)
    .filter(
      ({ deal }) =>
        deal.table && !deal.report && deal.seats.includes(number) && !deal.absent.includes(number),
    );
}

/** An entrant's place in a round: `{board, deal}`, `{unplayed}` or undefined. */
export function placeIn(view, round, number) {
  const at = latest(round).find(({ deal }) => deal.seats.includes(number));
  if (at) return at;
  const unplayed = round.unplayed.find(({ entrant }) => entrant === number);
  return unplayed && { unplayed };
}

export function progress(round) {
  const needed = latest(round).filter(({ deal }) => deal.table);
  return { ended: needed.filter(({ deal }) => deal.report).length, all: needed.length };
}

/** True if an entrant is out of a knockout; `stage` comes from their row of the standings. */
export function isKnockedOut(view, stage) {
  if (view.setup.format !== 'knockout' || !stage) return false;
  const complete = view.rounds.filter(({ status }) => status === 'complete').length;
  return stage.round <= complete;
}

/**
 * Actions open to the player, entered or not.
 *
 * @returns {{enter: boolean, checkIn: boolean, absence: boolean, byes: number[], withdraw: boolean}}
 */
export function possible(view, me, { knockedOut = false } = {}) {
  const plays = Boolean(me) && me.left_after === null && !isOver(view);
  const attends = plays && isLive(view) && me.status === 'entered' && isRoundLeft(view) && !knockedOut;
  const sitting = hasStarted(view) ? currentSitting(view).number : 0;
  return {
    enter: !me && mayEnter(view),
    checkIn:
      attends &&
      view.phase === 'running' &&
      !isPresent(view, me, sitting) &&
      (!view.setup.check_in || view.check_in === sitting),
    absence: attends && me.absent_in !== sitting,
    byes: plays && me.status === 'entered' ? requestable(view, me) : [],
    withdraw: plays,
  };
}

export function mayEnter(view) {
  if (view.phase === 'registration') return true;
  const isLate = isArena(view) ? !isRoundLeft(view) : view.rounds.length + 1 > view.setup.late_until;
  if (!isLive(view) || isLate) return false;
  return view.setup.cap === null || remaining(view).length < view.setup.cap;
}

function requestable(view, me) {
  if (!hasByes(view) || me.requested_byes.length >= view.setup.requested_byes) return [];
  const first = Math.max(firstUnpaired(view), me.from_round);
  const rounds = Array.from(
    { length: Math.max(0, view.rounds_planned - first) },
    (_, index) => first + index,
  );
  return rounds.filter((round) => !me.requested_byes.includes(round));
}

function mayChangeTiebreaks(view) {
  if (isOver(view) || !hasStarted(view)) return !isOver(view);
  return isArena(view) ? isRoundLeft(view) : view.rounds.length < view.rounds_planned;
}

/**
 * Actions open to the organiser, by the same conditions as in the service.
 *
 * @returns {object} `pair` and `finish` are 'due', 'early' or null; `sittings` and `voided` are lists
 */
export function orders(view, now = serverNow()) {
  const isBefore = view.phase === 'draft' || view.phase === 'registration';
  return {
    register: view.phase === 'draft',
    start: view.phase === 'registration' && admitted(view).length >= 2,
    rank: isBefore && view.setup.rank_by === 'organiser',
    bots: view.phase !== 'draft' && mayEnter(view),
    ...ordersForRounds(view, now),
    sittings: isOver(view) ? [] : sittings(view).filter(({ number }) => number >= firstUnbegun(view)),
    tiebreaks: mayChangeTiebreaks(view),
    addRounds: isLive(view) && hasByes(view) && view.rounds.length < view.rounds_planned,
    byes: !isOver(view) && hasByes(view) && remaining(view).length > 0 && firstUnpaired(view) <= view.rounds_planned,
    voided: voidedBoards(view),
    pause: view.phase === 'running',
    resume: view.phase === 'paused',
    finish: finishing(view),
    cancel: !isOver(view),
  };
}

// Steps that the service takes by itself right away are not offered, but can be taken early.
const isByHand = ({ setup }) => setup.advance === 'manual';

function ordersForRounds(view, now) {
  const { check_in: seconds } = view.setup;
  const isWaiting = view.phase === 'running' && !pairedRound(view) && !view.call && isRoundLeft(view);
  if (isArena(view)) return { tables: 0, checkIn: 0, isCheckingIn: false, pair: null };
  const none = { checkIn: 0, isCheckingIn: false, pair: null };
  if (view.phase === 'running' && pairedRound(view) && isByHand(view)) return { ...none,
    tables: pairedRound(view).round };
  if (!isWaiting) return { ...none, tables: 0 };
  const { number, startsAt } = currentSitting(view);
  const isAhead = (lead) => isByHand(view) || (startsAt ?? 0) - 1000 * lead > now;
  const needsCheckIn = seconds > 0 && view.check_in !== number;
  const isCheckingIn = seconds > 0 && !needsCheckIn && now < view.check_in_until && !isEverybodyHere(view);
  return {
    tables: 0,
    checkIn: needsCheckIn && isComplete(view) && isAhead(seconds) ? number : 0,
    isCheckingIn,
    pair: needsCheckIn || isCheckingIn ? null : pairing(view, isAhead(0)),
  };
}

function pairing(view, isAhead) {
  if (isComplete(view)) return isAhead ? 'due' : null;
  return view.setup.format === 'knockout' ? null : 'early';
}

function finishing(view) {
  if (!isLive(view)) return null;
  if (!isPlayedOut(view)) return 'early';
  return isByHand(view) || view.phase === 'paused' ? 'due' : null;
}

function voidedBoards(view) {
  const boards = startedRounds(view).flatMap((round) => round.boards.map((board) => ({ round: round.round,
    ...board })));
  return boards.filter(({ tables }) => tables[0].is_void);
}

/** True if an entrant can be marked as absent: more rounds follow, and they are not absent already. */
export const isAwaited = (view, entrant) => isLive(view) && isRoundLeft(view)
  && entrant.absent_in !== currentSitting(view).number;

/** False for an organiser who plays where a missing opponent is a win. */
export const mayDecideAbsence = (view, me, entrant) => !me || me.left_after !== null || me.id === entrant.id
  || !['round_robin', 'knockout'].includes(view.setup.format);

const isDecided = ({ tables }) => tables.every(({ table, report }) => !table || report);

/** The boards on which the organiser may rule, the latest first: not those where they sit. */
export function rulable(view, own) {
  if (view.phase === 'cancelled') return [];
  const isKnockout = view.setup.format === 'knockout';
  return startedRounds(view).toReversed()
    .filter(({ round }) => !isKnockout || round === startedRounds(view).length)
    .flatMap(({ round, boards }) => boards.map((board) => ({ ...board, round })))
    .filter((board) => isDecided(board) && !board.tables[0].is_void
      && !board.tables.some(({ seats }) => own && seats.includes(own)));
}

/** The view with each ruling at the tables of its board, where `seatsOf` reads it. */
export function withRulings(view) {
  if (!view.rounds.some(({ boards }) => boards.some(({ ruling }) => ruling))) return view;
  const ruled = (board) => (!board.ruling || board.tables[0].is_void || !isDecided(board) ? board : {
    ...board,
    tables: board.tables.map((deal) => ({ ...deal, ruling: board.ruling, ruled_seats: board.tables[0].seats })),
  });
  return { ...view, rounds: view.rounds.map((round) => ({ ...round, boards: round.boards.map(ruled) })) };
}

/** Before the start: the entrants who are not on the waiting list. */
export const admitted = (view) => view.entrants.filter(({ status }) => status === 'entered');
