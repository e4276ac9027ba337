/** Rounds with boards, results and the reasons for each pairing. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { settle } from '../../kit/jobs.js';
import { count, failure, list, loading } from '../../kit/words.js';
import { outcome, seatLine, seatsOf, tableAt } from './marks.js';
import { reasonOf } from '../reasons.js';
import { WHY, half } from '../terms.js';
import { progress } from '../view.js';

const STATUS = { paired: 'paired, not started', playing: 'in play', complete: 'complete' };

export function rounds(room, view) {
  if (!view.rounds.length) return html`<p>No round has been paired yet.</p>`;
  const last = view.rounds.at(-1).round;
  room.unfolded ??= new Map();
  return html`${view.rounds.toReversed().map((round) => {
    const open = room.unfolded.get(round.round) ?? round.round === last;
    const unfold = ({ target }) => {
      if (target.open === open || !target.matches('.round')) return;
      room.unfolded.set(round.round, target.open);
      room.update();
    };
    return html`<details class="round" ?open=${open} @toggle=${unfold}>
      <summary><h3>Round ${round.round}</h3> <span class="small">${state(view, round)}</span></summary>
      ${open ? body(room, round) : nothing}
    </details>`;
  })}`;
}

function state(view, round) {
  const { ended, all } = progress(round);
  const sitting = view.setup.sittings.length > 1 ? `sitting ${round.sitting}, ` : '';
  const tables = round.status === 'playing' ? `, ${ended} of ${count(all, 'table')} ended` : '';
  return `${sitting}${STATUS[round.status]}${tables}${round.is_changed ? ', changed by the organiser' : ''}`;
}

function body(room, round) {
  const absent = round.unplayed.filter(({ why }) => why !== 'withdrawn');
  const said = ({ entrant, why, score }) => `${room.names.of(entrant)} (${WHY[why]}, ${half(score)})`;
  return html`
    <ol class="boards">${round.boards.map((board) => boardOf(room, board, round.is_embargoed))}</ol>
    ${absent.length ? html`<p>Without a table: ${list(absent.map(said))}.</p>` : nothing}
    ${reasons(room, round)}`;
}

function boardOf(room, { board, tables, void_score: score }, isEmbargoed) {
  const mine = tables.some(({ seats }) => seats.includes(room.me?.number));
  return html`<li class="panel pairing-board ${mine ? 'mine' : ''}" data-board=${board}>
    <h4>Board ${board}</h4>
    ${tables.map((deal, index) => dealOf(room, deal, index, { mine, isEmbargoed }))}
    ${tables[0].ruling ? html`<p class="small">Changed by a ruling.${reasonOf(room, tables[0].ruling.reason)}</p>`
      : nothing}
    ${score === null ? nothing : html`<p class="small">The organiser gave each entrant ${half(score)}.</p>`}
  </li>`;
}

function dealOf(room, deal, index, whose) {
  const remark = deal.is_void ? 'was voided by an administrator' : outcome(deal);
  return html`
    ${index ? html`<p class="small">Further deal ${index} between equals</p>` : nothing}
    <ol class="sat">
      ${seatsOf(deal).map((seat) => seatLine(seat, deal.seats.length, room.names.of(seat.number)))}
    </ol>
    ${remark ? html`<p class="small">This table ${remark}.</p>` : nothing}
    ${link(deal, whose)}`;
}

function link(deal, { mine, isEmbargoed }) {
  const isNeeded = seatsOf(deal).some(({ state }) => state === 'open');
  if (!deal.table && !isNeeded) return html`<p class="small">No table was needed.</p>`;
  if (!deal.is_open) return html`<p class="small on-screen">The table has not opened yet.</p>`;
  if (isEmbargoed && !mine) return html`<p class="small">Shown once all tables of the round have ended.</p>`;
  const label = deal.report ? 'See it again' : mine ? 'Go to it' : 'Watch it';
  return html`<p class="on-screen"><a href=${tableAt(deal)}>${label}</a></p>`;
}

/** The reasons for a pairing, loaded when opened. */
function reasons(room, round) {
  room.reasons ??= new Map();
  const key = JSON.stringify([round.round, round.is_changed, round.boards.map(({ tables }) =>
    tables[0].seats)]);
  const known = room.reasons.get(key);
  const keep = (found) => {
    room.reasons.set(key, found);
    room.update();
  };
  const ask = async () => {
    keep({});
    try {
      keep({ answer: await settle(api.get(`${room.live.path}/rounds/${round.round}`)) });
    } catch (problem) {
      keep({ problem });
    }
  };
  return html`<details class="why" @toggle=${({ target }) => target.open && !known && ask()}>
    <summary>Why this pairing?</summary>${known ? reason(room, known, ask) : nothing}</details>`;
}

function reason(room, { answer, problem }, ask) {
  if (problem) return failure(problem, ask);
  return answer ? explained(room, answer) : loading();
}

function explained(room, { changed, relaxed, explanations }) {
  const each = ({ entrant, text }) => html`<li><b>${entrant} ${room.names.of(entrant)}:</b> ${text}</li>`;
  return html`
    ${changed ? html`<p>${changes(room, changed)}</p>` : nothing}
    ${relaxed.length ? html`<p>Not every rule could be kept. ${relaxed.join(' ')}</p>` : nothing}
    ${explanations.length
      ? html`<p class="small">Numbers are starting ranks.</p><ul>${explanations.map(each)}</ul>`
      : html`<p>It comes from the schedule fixed at the start.</p>`}`;
}

function changes(room, { reason: why, proposed_tables: tables, proposed_byes: byes }) {
  const seats = (table) => list(table.map(room.names.of));
  const boards = tables.map((table, index) => `board ${index + 1}: ${seats(table)}`);
  const proposed = `${boards.join('; ')}${byes.length ? `, and a bye for ${seats(byes)}` : ''}`;
  return `The organiser changed this pairing: ${why} The engine had proposed ${proposed}.`;
}
