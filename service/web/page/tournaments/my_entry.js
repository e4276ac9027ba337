/** The player's own panel: next table, status and actions. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { keepSeed, prepareSeed } from '../kit/seeds.js';
import { meet } from '../kit/joining.js';
import { session } from '../kit/session.js';
import { count, list, nth } from '../kit/words.js';
import { commandForm, field } from '../kit/form.js';
import { confirm } from '../kit/dialog.js';
import { commandButton } from './acting.js';
import { codeField, takeCode } from './invitation.js';
import { joinTeam, lateTeamField, myTeam } from './teams.js';
import { WHY, half } from './terms.js';
import {
  currentSitting,
  hasStarted,
  isArena,
  isKnockedOut,
  isLive,
  isOver,
  isPresent,
  isRoundLeft,
  pairedRound,
  placeIn,
  possible,
  startedRounds,
} from './view.js';

export function myEntry(room) {
  const { view, me } = room;
  const can = possible(view, me, { knockedOut: isKnockedOut(view, lineOf(room)?.stage) });
  const status = me ? standing(room) : room.isOffered ? offer(can) : asking(room, can);
  const acts = [...takingPlace(room), entering(room, can), declining(room), withdrawingRequest(room),
    ...(me ? [...attending(room, can), ...myTeam(room)] : [])].filter(Boolean);
  const { tables } = room;
  if (!status && !acts.length && !tables.length) return nothing;
  return html`
    <section class="panel yours ${tables.length ? 'called' : ''}" aria-label="You in this tournament">
      ${tables.map((place) => nextTable(room, place))}
      ${status && !tables.length ? html`<p>${status}</p>` : nothing}
      ${acts.length ? html`<div class="acts">${acts}</div>` : nothing}
    </section>`;
}

const lineOf = ({ live, me }) => live.standings?.rows.find(({ entrant }) => entrant === me?.number);

function nextTable(room, { round, board, deal }) {
  const others = deal.seats.filter((number) => number !== room.place.number);
  const where = `Round ${round.round}, board ${board}: you and ${list(others.map(room.names.of))}`;
  if (!deal.is_open) return html`<p>${where}. Your table is about to open.</p>`;
  return html`<div class="next-table">
    <div role="alert"><h2>Your table is open</h2><p>${where}.</p></div>
    <a class="button main" href="/tables/${deal.table}">Go to your table</a></div>`;
}

function standing(room) {
  const { view, me } = room;
  if (me.status === 'expelled') return 'The organiser has expelled you from this tournament.';
  if (me.status === 'withdrawn') return 'You have withdrawn from this tournament.';
  if (me.status === 'waiting')
    return 'You are on the waiting list. You get a place if somebody withdraws before the start.';
  const line = lineOf(room);
  if (isOver(view))
    return line?.rank && view.phase === 'finished' ? `You finished ${nth(line.rank)}.` : nothing;
  if (!hasStarted(view))
    return `You have entered. ${isArena(view) ? 'Keep this page open: it opens each of your tables.'
      : 'This page shows your table as soon as the first round starts.'}`;
  if (isKnockedOut(view, line?.stage)) return 'You are out of the knockout. Thank you for playing.';
  if (isArena(view)) return inArena(room, line);
  const paired = pairedRound(view);
  if (paired) return pairing(room, paired);
  if (me.from_round > startedRounds(view).length + 1) return `You play from round ${me.from_round}.`;
  return ended(room, line);
}

function inArena({ view, me, live }, line) {
  const so = line?.rank && live.standings.round ? `You are ${nth(line.rank)}. ` : '';
  if (!isRoundLeft(view)) return `${so}The bell has rung.`;
  if (me.absent_in) return `${so}You are paused, and get no table until you play on.`;
  return `${so}You wait for your next table, which opens by itself.`;
}

function pairing(room, paired) {
  const place = placeIn(room.view, paired, room.me.number);
  if (!place) return `You play from round ${room.me.from_round}.`;
  if (place.unplayed) return `In round ${paired.round} you have no table: ${WHY[place.unplayed.why]}.`;
  const others = place.deal.seats.filter((number) => number !== room.me.number).map(room.names.of);
  const where = `In round ${paired.round} you play at board ${place.board} with ${list(others)}.`;
  return `${where} Your table will open here.`;
}

function ended(room, line) {
  const { view, me, live } = room;
  const so = line?.rank && live.standings.round ? `You are ${nth(line.rank)}. ` : '';
  const playing = view.rounds.find(({ status }) => status === 'playing');
  const place = playing && placeIn(view, playing, me.number);
  if (place?.unplayed) {
    const { why, score } = place.unplayed;
    return `${so}In round ${playing.round} you have no table: ${WHY[why]}, worth ${half(score)}.`;
  }
  if (place) return `${so}Your table of round ${playing.round} has ended.`;
  if (!isRoundLeft(view)) return `${so}All rounds are played.`;
  const sitting = currentSitting(view).number;
  if (isPresent(view, me, sitting)) return `${so}You will be paired in the next round.`;
  if (me.absent_in === sitting) return `${so}You will miss the next sitting.`;
  return `${so}Check in before the next round, or you will not be paired.`;
}

/** The state of the player's request to enter. */
function asking({ request, offer, place }, can) {
  if (offer) return `The organiser offers you the place of ${offer.name}. You would play from the next round on.`;
  if (place) return `${place.name} has your place now.`;
  if (!request) return null;
  if (request.is_declined) return 'The organiser has declined your entry.';
  return can.enter ? 'You have asked to enter. The organiser decides, and this page shows it.'
    : 'The organiser did not decide in time about your entry.';
}

const offer = (can) => (can.enter ? 'The organiser offers you an entry. Enter, or decline the offer.'
  : 'The organiser offered you an entry, but it is too late to enter now.');

const declining = (room) => (room.isOffered ? act(room, 'decline', 'Decline the offer', {
  send: () => room.act('decline', '/offers/refusal'),
  says: 'The organiser can offer you an entry one more time, unless you block them.',
}) : null);

const withdrawingRequest = (room) => (room.request && !room.request.is_declined && !isOver(room.view)
  ? act(room, 'withdraw', 'Withdraw the request', {
    send: () => room.act('withdraw', `/entrants/${room.request.id}/withdrawal`, { confirm: true }),
    says: 'You can ask again, but come last then.',
  }) : null);

const takingPlace = (room) => (room.offer && !room.me ? [
  act(room, 'take-place', 'Take the place', {
    send: () => withSeed(room, 'take-place', '/place'),
    main: true,
    says: 'You take over its score, its opponents and its number.',
  }),
  act(room, 'decline-place', 'Decline', {
    send: () => room.act('decline-place', '/place/refusal'),
    says: 'The organiser can offer it to somebody else.',
  }),
] : []);

function entering(room, can) {
  if (!can.enter || room.request || room.offer || room.place) return null;
  const asks = room.view.setup.approval && !room.isOrganiser && !room.isOffered;
  const code = room.isOffered ? undefined : codeField(room);
  const late = isLive(room.view);
  const full = room.view.setup.cap !== null && room.view.entrants.length >= room.view.setup.cap;
  const says = [
    session.player && `You enter as ${session.player.name}.`,
    ...boundsOf(room.view.setup),
    asks && 'The organiser accepts or declines each player.',
    late && !isArena(room.view) && `You would play from round ${room.view.rounds.length + 1}.`,
    'Your browser adds a seed of its own, so no shuffle depends on the service alone.',
  ];
  const team = late && !asks ? lateTeamField(room.view) : nothing;
  const content = html`${code ? field(code) : nothing} ${team}`;
  return commandForm({
    ...(team === nothing ? { line: code } : { content }),
    label: asks ? 'Ask to enter' : late ? 'Enter late' : full ? 'Join the waiting list' : 'Enter',
    look: 'main',
    isBusy: room.busy === 'enter',
    below: html`<p class="small">${says.filter(Boolean).join(' ')}</p>${room.refusal('enter')}`,
    send: (values) => takeCode(room, values) && enter(room, values.team),
  });
}

const boundsOf = ({ min_rating: low, max_rating: high, min_rated_tables: tables }) => [
  low !== null && `You need a rating of at least ${low}.`,
  high !== null && `You need a rating of at most ${high}, or none.`,
  tables > 0 && `You need ${count(tables, 'rated table')} of this game.`,
];

async function enter(room, team) {
  if (room.busy) return;
  try {
    await meet();
  } catch (problem) {
    room.refuse('enter', problem);
    return;
  }
  if (await withSeed(room, 'enter', '/entrants') && team) await joinTeam(room, team);
}

/** Sends a command with a commitment to the entrant's seed; this browser keeps the seed until it is revealed. */
async function withSeed(room, name, path) {
  const prepared = await prepareSeed().catch(() => null);
  const accepted = await room.act(name, path, prepared ? { seed_commitment: prepared.commitment } : {});
  if (accepted && prepared) keepSeed(room.view.id, 'entrant', prepared);
  return accepted;
}

function attending(room, can) {
  const { view, me } = room;
  const sitting = hasStarted(view) ? currentSitting(view).number : 0;
  const missing = me.absent_in === sitting;
  const arena = isArena(view);
  return [
    can.checkIn &&
      act(room, 'check-in', missing ? (arena ? 'Play on' : 'I can play after all') : 'Check in', {
        // The service refuses a second commitment while one is unrevealed, and in an arena.
        send: () =>
          me.seed_commitment || arena ? room.act('check-in', '/check-in') : withSeed(room, 'check-in', '/check-in'),
        main: true,
        says: missing ? 'You will be paired again.' : 'Check in before each sitting, or you will not be paired.',
      }),
    can.absence &&
      act(room, 'absence', arena ? 'Pause' : 'Report an absence', {
        send: () => room.act('absence', '/absence'),
        says:
          arena ? 'You finish your table, and get no other until you play on.' : view.setup.sittings.length > 1
            ? `You miss sitting ${sitting} but stay in the tournament.`
            : 'You are not paired until you check in again.',
      }),
    can.byes.length ? requestingBye(room, can.byes) : null,
    can.withdraw &&
      act(room, 'withdraw', 'Withdraw', {
        send: () => withdraw(room),
        says: hasStarted(view)
          ? 'You finish your current table, then leave for good.'
          : 'You can enter again before the start.',
      }),
  ];
}

const act = (room, name, label, { send, says, main }) => html`<div class="act">
  ${commandButton(room, name, label, send, main && 'main')}<p class="small">${says}</p>${room.refusal(name)}</div>`;

function requestingBye(room, rounds) {
  return commandForm({
    line: { id: 'bye-round', name: 'round', label: 'Bye in round', kind: 'choice',
      choices: rounds.map((round) => [round, round]),
      help: 'You sit out one round and score half a first place.' },
    label: 'Request it',
    isBusy: room.busy === 'bye',
    below: room.refusal('bye'),
    send: ({ round }) => room.act('bye', '/byes', { round: Number(round) }),
  });
}

async function withdraw(room) {
  const started = hasStarted(room.view);
  const sure = await confirm({
    title: 'Withdraw from the tournament?',
    text: started
      ? 'You cannot enter again. You still finish your current table.'
      : 'You can enter again until the start.',
    yes: 'Withdraw',
  });
  if (sure) await room.act('withdraw', `/entrants/${room.me.id}/withdrawal`, { confirm: true });
}
