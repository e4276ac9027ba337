/** The boards in play: who is there, what each table waits for, and how long it has waited. */
import { repeat } from '../../vendor/lit-html/directives/repeat.js';
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { button } from '../../kit/form.js';
import { serverNow, synchronise } from '../../kit/stream.js';
import { duration, failure, list } from '../../kit/words.js';
import { part } from './forms.js';
import { ending } from './rulings.js';
import { isOver, startedRounds } from '../view.js';

const POLL_MS = 5000;

/** Keeps a room's boards up to date while it is shown and rounds are in play. */
export function followBoards(room) {
  room.boardPages = 1;
  let version = 0;
  const read = () => (room.isOrganiser || room.isArbiter) && isInPlay(room.view) && readBoards(room);
  room.every(POLL_MS, read);
  // The words about waiting times count on between two readings.
  room.every(1000, () => room.boards?.found.length && room.update());
  room.listen(room.live, 'change', () => {
    if (!room.view || room.view.version === version) return;
    ({ version } = room.view);
    read();
  });
}

const isInPlay = (view) => Boolean(view) && startedRounds(view).some(({ status }) => status === 'playing');

async function readBoards(room) {
  if (room.isReadingBoards) return;
  room.isReadingBoards = true;
  try {
    const found = [];
    let cursor;
    for (let page = 0; page < room.boardPages && cursor !== null; page += 1) {
      const answer = await api.get(`${room.live.path}/boards`, { query: { cursor } });
      synchronise(answer.now);
      found.push(...answer.boards);
      ({ cursor } = answer);
    }
    room.set({ boards: { found, more: cursor !== null } });
  } catch (problem) {
    room.set({ boards: { found: room.boards?.found ?? [], more: false, problem } });
  } finally {
    room.isReadingBoards = false;
  }
}

export function boardsDesk(room) {
  const { view, boards } = room;
  if (!isInPlay(view) || isOver(view) || !boards) return nothing;
  const { found, more, problem } = boards;
  const rounds = new Set(found.map(({ round }) => round));
  const each = (board) => boardOf(room, board, rounds.size > 1);
  return part('boards', 'Boards in play', html`
    ${problem ? failure(problem, () => readBoards(room)) : nothing}
    <ol class="boards">${repeat(found, ({ table }) => table, each)}</ol>
    ${more ? button('Show more boards', { press: () => {
      room.boardPages += 1;
      readBoards(room);
    } }) : nothing}
    <p class="small"><a href="/tournaments/${view.id}?tab=rounds">All boards of all rounds</a></p>`);
}

function boardOf(room, board, isNamingRound) {
  const { play, table } = board;
  return html`<li class="panel pairing-board" data-board=${board.board} data-table=${table}>
    <h3>Board ${board.board}${isNamingRound ? html` <span class="small">of round ${board.round}</span>` : nothing}</h3>
    <ol class="sat">${board.seats.map((seat, at) => seatOf(room, board, seat, at))}</ol>
    <p class="small pace">${pace(room, board)}</p>
    ${play ? html`<p><a href="/tables/${table}">Go to the table</a></p>` : nothing}
    ${board.status === 'playing' ? ending(room, board) : nothing}
  </li>`;
}

function seatOf(room, { play }, { entrant, connected }, at) {
  const state = seatState(play, connected, at);
  return html`<li><span>${room.names.of(entrant)}</span><span class="small seat-state ${state === 'here' ? 'here'
    : 'soft'}">${state}</span></li>`;
}

function seatState(play, connected, at) {
  if (connected === null) return 'bot';
  if (play?.resigned.includes(at)) return 'resigned';
  if (play?.no_shows.includes(at)) return 'did not appear';
  if (play?.bot_kept.includes(at)) return 'a bot plays';
  if (connected) return 'here';
  return play?.awaited.includes(at) ? 'has not appeared' : 'away';
}

const FOR = {
  seeds: 'Waiting for seeds',
  entrants: 'Waiting for entrants to appear',
  round_pause: 'Between two rounds',
  interrupts: 'In play',
  bot: 'A bot is about to move',
};

/** What a table waits for, and how long. */
function pace(room, { status, play, seats }) {
  if (status === 'opening') return 'The table is being opened.';
  if (status === 'ended') return 'The table has ended; its result follows.';
  if (!play) return 'In play. Details follow when every table of this deal has ended.';
  if (!play.waiting) return 'In play';
  const now = serverNow();
  const grace = play.grace_until && play.grace_until > now ? `, ${duration(play.grace_until - now)} left` : '';
  if (play.waiting.for !== 'players') return `${FOR[play.waiting.for]}${play.waiting.for === 'entrants' ? grace : ''}`;
  const who = list(play.waiting.seats.map((at) => room.names.of(seats[at].entrant)));
  const idle = play.waits_since ? ` for ${duration(now - play.waits_since)}` : '';
  const clock = play.deadline ? `; ${duration(play.deadline - now)} left on the clock` : '';
  return `Waiting for ${who}${idle}${clock}`;
}
