/** A knockout drawn from left to right; screen readers get a list of rounds and matches. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { count, loading } from '../../kit/words.js';
import { lines } from './bracket_lines.js';
import { seatLine, seatsOf, tableAt } from './marks.js';
import { reached } from './standings.js';

export function bracket(room, view) {
  const rows = room.live.standings?.rows;
  if (!rows) return loading('Loading the bracket');
  const stages = new Map(rows.map(({ entrant, stage }) => [entrant, stage]));
  return view.setup.seats === 2 ? tree(room, view, stages) : tables(room, view, stages);
}

const titleOf = (round, rounds) =>
  ({ 0: 'Final', 1: 'Semifinals', 2: 'Quarterfinals' })[rounds - round] ?? `Round ${round}`;

const scrolling = (label, content) =>
  html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>${content}</div>`;

function tree(room, view, stages) {
  const { rounds, third } = lines(view, stages);
  const draw = (slot, round) => match(room, slot, round, stages);
  const column = (slots, index) => html`<li class="column" data-round=${index + 1}>
    <h3>${titleOf(index + 1, rounds.length)}</h3>
    <ol>${slots.map((slot) => html`<li class="slot">${draw(slot, index + 1)}</li>`)}</ol></li>`;
  return html`
    ${scrolling('Bracket', html`<ol class="bracket">${rounds.map(column)}</ol>`)}
    ${third ? html`<section class="third"><h3>Third place</h3>${draw(third, rounds.length)}</section>`
      : nothing}`;
}

function match(room, slot, round, stages) {
  if (slot.bye) return bye(room.names.of(slot.bye), 'no opponent');
  if (!slot.board) return expected(slot, room.names);
  const { board, tables: deals } = slot.board;
  const last = deals.at(-1);
  const state = last.report || !last.table ? 'over' : 'live';
  const mine = last.seats.includes(room.me?.number) ? 'mine' : '';
  return html`<div class="match ${state} ${mine}" data-board=${board}>
    ${seats(room, last, round, stages)}
    ${last.is_open ? link(last, last.report ? 'See it again' : 'Watch it', board, round) : nothing}
    ${deals.length > 1 ? html`<span class="small">after ${count(deals.length - 1, 'further deal')}</span>`
      : nothing}
  </div>`;
}

const seats = (room, deal, round, stages) => html`<ol>${seatsOf(deal).map((seat) =>
  seatLine(seat, deal.seats.length, room.names.of(seat.number), goesOn(stages.get(seat.number), round,
    seat)))}</ol>`;

const link = (deal, label, board, round) => html`<a class="small" href=${tableAt(deal)}>${label}<span
  class="unseen">: board ${board} of round ${round}</span></a> `;

const bye = (name, why) => html`<div class="match bye"><ol>
  <li class="through">${name}</li><li class="soft">${why}</li></ol></div>`;

const goesOn = (stage, round, seat) =>
  stage?.round > round || stage?.place === 1 || (stage?.place === 3 && stage.round < round &&
    seat.place === 1);

function expected({ expected: known = [] }, names) {
  const line = (number) =>
    html`<li class=${number ? nothing : 'soft'}>${number ? names.of(number) : 'to be decided'}</li>`;
  return html`<div class="match open"><ol>${line(known[0])}${line(known[1])}</ol></div>`;
}

/** Larger tables have no bracket lines, because those who advance are reseeded each round. */
function tables(room, view, stages) {
  const column = ({ round, boards, unplayed }) => html`<li class="column" data-round=${round}>
    <h3>Round ${round}</h3>
    <ol>${boards.map((board) => html`<li class="slot">${tableOf(room, board, round, stages)}</li>`)}
      ${unplayed.filter(({ why }) => why === 'pairing_bye').map(({ entrant }) => html`<li class="slot">${
        bye(room.names.of(entrant), 'no table had room')}</li>`)}</ol></li>`;
  return html`
    ${scrolling('Tables by round', html`<ol class="bracket wide">${view.rounds.map(column)}</ol>`)}
    ${view.phase === 'finished'
      ? html`<p>Winner: <b>${winner(room, view)}</b></p>`
      : html`<p class="small">Entrants in bold advance.</p>`}`;
}

function tableOf(room, { board, tables: deals }, round, stages) {
  const label = (deal, index) => (index ? `Further deal ${index}` : deal.report ? 'See it again'
    : 'Watch it');
  return html`<div class="match" data-board=${board}>
    ${seats(room, deals[0], round, stages)}
    ${deals.map((deal, index) => (deal.is_open ? link(deal, label(deal, index), board, round) : nothing))}
  </div>`;
}

function winner(room, view) {
  const { rows } = room.live.standings;
  const first = rows.filter(({ rank, stage }) => rank === 1 && reached(view, stage) === 'Winner');
  return first.map(({ entrant }) => room.names.of(entrant)).join(', ') || 'nobody';
}
