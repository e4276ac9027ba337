/** Ending a table in play, and rulings on results. */
import { repeat } from '../../vendor/lit-html/directives/repeat.js';
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { confirm } from '../../kit/dialog.js';
import { field } from '../../kit/form.js';
import { list, nth } from '../../kit/words.js';
import { choice, deskForm, folded, halfField, reason } from './forms.js';
import { rulable } from '../view.js';

export function ending(room, { round, board, seats }) {
  if (seats.some(({ entrant }) => entrant && entrant === room.place?.number)) return nothing;
  const name = `end-${round}-${board}`;
  return html`<details><summary>End it …<span class="unseen"> board ${board}</span></summary>${deskForm(room, {
    name,
    label: 'End the table',
    look: 'danger',
    content: html`<p class="small">It ends without a result: ${without(room.view)}, unless you rule
      otherwise.</p>${reason(name)}`,
    send: async ({ reason: why }) => {
      const sure = await confirm({ title: `End board ${board}?`, text: 'This cannot be undone.', yes: 'End it' });
      if (sure) await room.act(name, `/rounds/${round}/boards/${board}/end`, { confirm: true, reason: why });
    },
  })}</details>`;
}

const keyOf = ({ round, board }) => `${round}.${board}`;

/** Whether points decide the score, so that a ruling states them. */
const isByPoints = ({ setup }) => setup.score_by === 'points' || Boolean(setup.compare);

/** What follows from a table without a result. */
function without(view) {
  if (view.setup.format === 'knockout') return 'another deal is played';
  return isByPoints(view) ? 'each entrant gets an average score' : 'each entrant scores half of a first place';
}

export function rulings(room) {
  const boards = rulable(room.view, room.place?.number);
  if (!boards.length) return nothing;
  // The choice must not move to another board when more tables end.
  room.ruledBoard ??= keyOf(boards[0]);
  const chosen = boards.find((board) => keyOf(board) === room.ruledBoard) ?? boards[0];
  const seated = ({ tables }) => list(tables[0].seats.map(room.names.of));
  const named = (board) => [keyOf(board), `Round ${board.round}, board ${board.board}: ${seated(board)}`];
  return folded('rulings', 'Rule on a result', html`
    <p class="small">A ruling changes the standings only. Everybody can see it, and an administrator can reverse it.
      Ratings and books keep the result of the table.</p>
    ${field({ id: 'ruled-board', label: 'Board', kind: 'choice', choices: boards.map(named), value: keyOf(chosen),
      change: (ruledBoard) => room.set({ ruledBoard }) })}
    ${chosen.ruling ? html`<p class="small">This board has a ruling already; a new one replaces it.</p>` : nothing}
    ${repeat([chosen], keyOf, (board) => form(room, board))}`);
}

function form(room, board) {
  const name = 'ruling';
  const isAnnulled = room.ruledKind === 'annul' && room.view.setup.format !== 'knockout';
  const kinds = [
    ['places', isByPoints(room.view) ? 'Set the points' : 'Set the places'],
    ['annul', 'The result does not count'],
  ];
  const content = html`
    ${room.view.setup.format === 'knockout' ? nothing : field({ id: 'ruling-kind', label: 'Decision', kind: 'choice',
      choices: kinds, value: isAnnulled ? 'annul' : 'places', change: (ruledKind) => room.set({ ruledKind }) })}
    ${isAnnulled ? halfField('ruling-score') : seats(room, board)}
    ${reason(name)}`;
  const send = async (values, sent) => {
    const path = `/rounds/${board.round}/boards/${board.board}/ruling`;
    const body = isAnnulled ? { score: values.score } : stated(room.view, board, values);
    if (await room.act(name, path, { ...body, reason: values.reason })) sent.reset();
  };
  return deskForm(room, { name, label: 'Rule', content, send });
}

function seats(room, { round, board, tables: [deal] }) {
  const size = deal.seats.length;
  const { ruling, report } = deal;
  const byPoints = isByPoints(room.view);
  const places = Array.from({ length: size }, (_, index) => [index + 1, nth(index + 1)]);
  const one = (number, at) => {
    const id = `ruled-${round}-${board}-${at}`;
    const choices = [...(byPoints ? [['there', 'played']] : places), ...(number === null ? [] : [['', 'absent']])];
    const isAbsent = ruling?.places?.[at] === null;
    const place = ruling?.places?.[at] ?? report?.places?.[at] ?? size;
    return html`<div class="inline">
      ${choice(id, `place-${at}`, room.names.of(number), choices,
        isAbsent ? '' : byPoints ? 'there' : place)}
      ${byPoints ? field({ id: `${id}-points`, name: `points-${at}`, label: html`Points<span class="unseen"> of
        ${room.names.of(number)}</span>`, kind: 'number', step: 1, required: true,
        initial: `${ruling?.points?.[at] ?? report?.points?.[at] ?? 0}` }) : nothing}</div>`;
  };
  return html`${deal.seats.map(one)}`;
}

function stated(view, { tables: [deal] }, values) {
  const given = deal.seats.map((_, at) => values[`place-${at}`]);
  if (!isByPoints(view)) return { places: given.map((place) => (place ? Number(place) : null)) };
  const points = deal.seats.map((_, at) => Number(values[`points-${at}`]));
  const better = (at) => points.filter((other, index) => given[index] && other > points[at]).length;
  return { points, places: given.map((there, at) => (there ? 1 + better(at) : null)) };
}

