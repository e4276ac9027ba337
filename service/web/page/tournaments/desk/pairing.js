/** A paired round before its start, in which the organiser can swap entrants. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { list } from '../../kit/words.js';
import { commandForm, inline, part, reason } from './forms.js';
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
  const options = (chosen) =>
    places(draft).map(
      ({ number, where }, index) => html`<option value=${number}
    ?selected=${index === chosen}>${room.names.of(number)} (${where})</option>`,
    );
  return html`<form class="command" data-command="swap" @submit=${(event) => {
    event.preventDefault();
    const { one, other } = Object.fromEntries(new FormData(event.target));
    swap(room, draft, Number(one), Number(other));
  }}><div class="inline">
    ${inline('swap-one', 'Exchange', html`<select id="swap-one" name="one">${options(0)}</select>`)}
    ${inline('swap-other', 'with', html`<select id="swap-other"
      name="other">${options(draft.tables[0]?.length ?? 1)}</select>`)}
  </div><button>Exchange</button></form>`;
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

const saving = (room, round, draft) => html`${commandForm(room, {
  name: 'pairing',
  label: 'Save the pairing',
  main: true,
  content: reason('pairing'),
  send: ({ reason: why }) =>
    room.act('pairing', `/rounds/${round.round}/pairing`, {
      tables: draft.tables,
      byes: draft.byes,
      reason: why,
    }),
})}
<button type="button" @click=${() => room.set({ draft: null })}>Discard the changes</button>`;
