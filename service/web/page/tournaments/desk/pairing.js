/** A paired round before its start, in which the organiser can swap entrants. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { list } from '../../kit/words.js';
import { commandForm } from '../../kit/form.js';
import { choice, deskForm, part, reason } from './forms.js';
import { pairedRound } from '../view.js';

/** The unsaved pairing, by starting rank; it restarts if the round's own pairing changes. */
function draftOf(room, round) {
  const version = `${round.round}:${JSON.stringify(round.boards.map(({ tables }) => tables[0].seats))}`;
  if (room.draft?.version !== version) {
    room.draft = {
      version,
      tables: round.boards.map(({ tables }) => [...tables[0].seats]),
      byes: round.unplayed.filter(({ why }) => why === 'pairing_bye').map(({ entrant }) => entrant),
      isChanged: false,
    };
  }
  return room.draft;
}

export function pairing(room) {
  const round = pairedRound(room.view);
  const draft = draftOf(room, round);
  return part(
    'pairing',
    `The pairing of round ${round.round}`,
    html`
    <ol class="pairing">${draft.tables.map((seats) => html`<li>${list(seats.map(room.names.of))}</li>`)}</ol>
    ${draft.byes.length ? html`<p>Bye: ${list(draft.byes.map(room.names.of))}</p>` : nothing}
    <details ?open=${draft.isChanged}><summary>Change it</summary>
      <p class="small">Swap two entrants as often as you like, then save. The
        history keeps the original proposal, too.</p>
      ${swapping(room, draft)}
      ${draft.isChanged ? saving(room, round, draft) : nothing}
    </details>`,
  );
}

/** Entrants who can be swapped, with their seats. */
function places({ tables, byes }) {
  const seated = tables.flatMap((seats, board) =>
    seats.map((number, seat) => ({ number, where: `board ${board + 1}, seat ${seat + 1}` })),
  );
  return [
    ...seated.filter(({ number }) => number !== null),
    ...byes.map((number) => ({ number, where: 'bye' })),
  ];
}

function swapping(room, draft) {
  const choices = places(draft).map(({ number, where }) => [number, `${room.names.of(number)} (${where})`]);
  const second = choices[draft.tables[0]?.length ?? 1] ?? choices[0];
  return commandForm({
    name: 'swap',
    label: 'Swap',
    content: html`<div class="inline">
      ${choice('swap-one', 'one', 'Swap', choices)} ${choice('swap-other', 'other', 'with', choices, second[0])}</div>`,
    send: ({ one, other }) => swap(room, draft, Number(one), Number(other)),
  });
}

function swap(room, draft, one, other) {
  const changed = (number) => (number === one ? other : number === other ? one : number);
  room.set({
    draft: {
      ...draft,
      tables: draft.tables.map((seats) => seats.map(changed)),
      byes: draft.byes.map(changed),
      isChanged: true,
    },
  });
}

const saving = (room, round, draft) => html`${deskForm(room, {
  name: 'pairing',
  label: 'Save the pairing',
  look: 'main',
  content: reason('pairing'),
  send: ({ reason: why }) =>
    room.act('pairing', `/rounds/${round.round}/pairing`, {
      tables: draft.tables,
      byes: draft.byes,
      reason: why,
    }),
})}
<button type="button" @click=${() => room.set({ draft: null })}>Discard the changes</button>`;
