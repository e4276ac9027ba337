/** The organiser's next step. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { serverNow } from '../../kit/stream.js';
import { moment } from '../../kit/words.js';
import { confirm } from '../../kit/dialog.js';
import { commandButton } from '../acting.js';
import { hasInvitation } from './entry.js';
import { deskForm, part, reason } from './forms.js';
import { admitted, currentSitting, hasStarted, isArena, nextRound, pairedRound } from '../view.js';

export function nextStep(room, can) {
  const steps = [
    register(room, can),
    start(room, can),
    checkIn(room, can),
    pair(room, can),
    tables(room, can),
    finish(room, can),
    resume(room, can),
  ];
  const due = steps.filter(Boolean);
  if (!due.length) return nothing;
  return part('next', 'Next step', html`${due}${byItself(room)}`);
}

const step = (room, name, label, says, send) => html`<div class="step">
  ${commandButton(room, name, label, send, 'main')}<p class="small">${says}</p>${room.refusal(name)}</div>`;

const register = (room, can) =>
  can.register &&
  step(
    room,
    'registration',
    'Open the registration',
    hasInvitation(room.view) ? 'Those who have the invitation can then enter.'
      : room.view.setup.visibility === 'public' ? 'Everybody can then find the tournament and enter.'
        : 'Those who know its link can then enter.',
    () => room.act('registration', '/registration'),
  );

function start(room, can) {
  if (room.view.phase !== 'registration') return null;
  const address = `${location.origin}/tournaments/${room.view.id}`;
  const invite = hasInvitation(room.view) ? nothing : html`<p class="small">Invite entrants with this link: <a
    href="/tournaments/${room.view.id}"><code>${address}</code></a></p>`;
  if (!can.start) {
    const missing = 2 - admitted(room.view).length;
    return html`<div class="step"><p>The tournament can start once ${missing === 2 ? 'two entrants have'
      : 'one more entrant has'} entered. Bots count, too.</p>${invite}</div>`;
  }
  return html`${step(
    room,
    'start',
    'Start the tournament',
    `This fixes the starting ranks${isArena(room.view) ? '' : ' and the number of rounds'}, and closes the waiting list.`,
    () => room.act('start', '/start'),
  )}${fewComparisons(room.view, sizesOf(admitted(room.view).length, room.view.setup))}${invite}`;
}

const checkIn = (room, can) =>
  Boolean(can.checkIn) &&
  step(
    room,
    'check-in',
    `Open check-in for sitting ${can.checkIn}`,
    'Entrants confirm that they are present. You can pair the round when all have, or when time is up.',
    () => room.act('check-in', `/sittings/${can.checkIn}/check-in`),
  );

function pair(room, can) {
  const round = nextRound(room.view);
  if (can.isCheckingIn) {
    return html`<p>Round ${round} can be paired when check-in is over, ${moment(room.view.check_in_until)}, or
      as soon as everybody has checked in.</p>`;
  }
  if (can.pair === 'early') return early(room, round);
  return (
    can.pair &&
    step(
      room,
      'pair',
      `Pair round ${round}`,
      'The service seats everybody who is present. You can change the pairing until the tables start.',
      () => room.act('pair', '/rounds'),
    )
  );
}

const early = (
  room,
  round,
) => html`<details><summary>Pair round ${round} before all tables finish</summary>
  <p class="small">For this pairing, an unfinished table counts as half a first place. Its real result
    replaces that later.</p>
  ${deskForm(room, {
    name: 'early',
    label: `Pair round ${round} early`,
    content: reason('early'),
    send: ({ reason: why }) => room.act('early', '/rounds', { early: true, reason: why }),
  })}</details>`;

function tables(room, can) {
  if (!can.tables) return null;
  const round = pairedRound(room.view);
  return html`${fewComparisons(room.view, round.boards.map(({ tables: [{ seats }] }) => seats.length))}${step(
    room,
    'tables',
    `Start the tables of round ${round.round}`,
    'The tables open, and entrants must appear within the grace time. You can no longer change the pairing.',
    () => room.act('tables', `/rounds/${round.round}/start`),
  )}`;
}

/** Below, a seat scores like an average result, as the service decides. */
const MIN_COMPARISONS = 2;

/** The sizes of the tables of a round with everybody present. */
function sizesOf(entrants, { seats }) {
  if (seats === 2) return Array(Math.floor(entrants / 2)).fill(2);
  const tables = Math.ceil(entrants / seats);
  return Array.from({ length: tables }, (_, index) => Math.floor(entrants / tables) + (index < entrants % tables));
}

function fewComparisons({ setup }, sizes) {
  const few = (size) => sizes.filter((other) => other === size).length <= MIN_COMPARISONS;
  if (setup.deal !== 'same' || !sizes.some(few)) return nothing;
  return html`<p class="small">${sizes.every(few) ? 'No seat' : 'Not every seat'} can be compared with the same seat at two
    other tables of its size. Seats with fewer comparisons score like an average result, however they play.
    More entrants, or smaller tables, help.</p>`;
}

const finish = (room, can) =>
  can.finish === 'due' &&
  step(
    room,
    'finish',
    'Finish the tournament',
    'All rounds are played. The standings become final, and the seed is revealed.',
    async () => {
      const sure = await confirm({
        title: 'Finish the tournament?',
        text: 'The standings become final.',
        yes: 'Finish it',
      });
      if (sure) room.act('finish', '/finish', { confirm: true });
    },
  );

const resume = (room, can) =>
  can.resume &&
  step(room, 'resume', 'Resume the tournament', 'Rounds, tables and times continue where they stopped.', () =>
    room.act('resume', '/resume'),
  );

function byItself(room) {
  const { view } = room;
  if (view.phase !== 'running' || !hasStarted(view) || view.setup.advance === 'manual') return nothing;
  const { startsAt } = currentSitting(view);
  const when = startsAt && startsAt > serverNow() ? html` at its time, ${moment(startsAt)},` : '';
  return html`<p class="small">The service takes each step${when} by itself, but you can go ahead now.</p>`;
}
