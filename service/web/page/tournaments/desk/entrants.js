/** Entrants at the organiser's desk: bots, expulsions, byes and starting ranks. */
import { repeat } from '../../vendor/lit-html/directives/repeat.js';
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { count } from '../../kit/words.js';
import { confirm } from '../../kit/dialog.js';
import { commandButton } from '../acting.js';
import { field } from '../../kit/form.js';
import { choice, deskForm, halfField, part, reason } from './forms.js';
import { remarks } from '../entrants.js';
import { kindOf } from '../live.js';
import { firstUnpaired, hasStarted, isOver, remaining } from '../view.js';

export function entrantsDesk(room, can) {
  const { view } = room;
  return part('entrants', `Entrants (${remaining(view).length})`, html`
    ${can.bots ? bots(room) : nothing}
    ${view.entrants.length ? table(room, can) : html`<p>Nobody has entered yet.</p>`}
    ${can.rank ? html`<p class="small">The top entrant gets starting rank 1.</p>` : nothing}
    ${room.refusal('order')}`);
}

function bots(room) {
  return deskForm(room, {
    name: 'bots',
    label: 'Enter bots',
    content: html`
      <div class="inline">
        ${field({ id: 'bot-count', name: 'count', label: 'How many', kind: 'number', min: 1, max: 32, initial: '1',
          required: true })}
        ${choice('bot-policy', 'policy', 'Their play', [['steady', 'steady'], ['random', 'random']])}
      </div>
      <p class="small">Bots enter like people and are always present. A steady bot plays sensibly; a
        random bot makes any legal move.</p>`,
    send: async (values) => {
      for (let left = Number(values.count); left > 0; left -= 1) {
        if (!(await room.act('bots', '/entrants', { policy: values.policy }))) return;
      }
    },
  });
}

function table(room, can) {
  const ranks = can.rank ? order(room) : null;
  const byId = new Map(room.view.entrants.map((entrant, index) => [entrant.id, { entrant, index }]));
  const shown = (ranks ?? [...byId.keys()]).map((id) => byId.get(id));
  const line = (each, place) => row(room, { ...each, place, ranks });
  const caption = hasStarted(room.view) ? 'By starting rank' : ranks ? 'In your order'
    : 'In order of arrival';
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Entrants"><table class="entrants">
    <caption>${caption}</caption>
    <thead><tr>
      <th scope="col" class="number">Number</th><th scope="col">Entrant</th><th scope="col">Actions</th>
    </tr></thead>
    <tbody>${repeat(shown, ({ entrant }) => entrant.id, line)}</tbody></table></div>`;
}

function row(room, { entrant, index, place, ranks }) {
  const { view } = room;
  const name = room.names.id(entrant.id);
  const isIn = !isOver(view) && (entrant.left_after === null || entrant.status === 'withdrawn');
  return html`<tr data-entrant=${entrant.id}>
    <td class="number">${entrant.number ?? place + 1}</td>
    <th scope="row">${name}<br><span class="small">${remarks(view, entrant, index)}</span></th>
    <td class="orders">
      ${ranks ? moving(room, ranks, place, name) : nothing}
      ${isIn && entrant.policy && entrant.left_after === null ? withdrawing(room, entrant, name) : nothing}
      ${isIn ? expelling(room, entrant, name) : nothing}
    </td></tr>`;
}

function moving(room, ranks, place, name) {
  const ends = (isEnd) => (isEnd ? 'true' : nothing);
  return html`
    <button type="button" aria-label="Move ${name} up" aria-disabled=${ends(!place)}
      @click=${() => move(room, ranks, place, -1)}>↑</button>
    <button type="button" aria-label="Move ${name} down" aria-disabled=${ends(place === ranks.length - 1)}
      @click=${() => move(room, ranks, place, 1)}>↓</button>`;
}

function withdrawing(room, entrant, name) {
  const command = `withdraw-${entrant.id}`;
  const label = html`Withdraw<span class="unseen"> ${name}</span>`;
  return html`${commandButton(room, deskForm, label, () => withdraw(room, entrant, name))}${room.refusal(command)}`;
}

async function withdraw(room, entrant, name) {
  const sure = await confirm({
    title: `Withdraw ${name}?`,
    yes: 'Withdraw',
    text: hasStarted(room.view)
      ? 'It finishes its current table and does not return.'
      : 'It leaves the list of entrants.',
  });
  if (sure) await room.act(`withdraw-${entrant.id}`, `/entrants/${entrant.id}/withdrawal`, { confirm: true });
}

function expelling(room, entrant, name) {
  const command = `expel-${entrant.id}`;
  return html`<details><summary>Expel …<span class="unseen"> ${name}</span></summary>${deskForm(room, {
    name: command,
    label: 'Expel',
    look: 'danger',
    content: html`<p class="small">${name} leaves now and for good, gets no place in the standings and resigns any
      seat in play.</p>${reason(command)}`,
    send: async ({ reason: why }) => {
      const sure = await confirm({
        title: `Expel ${name}?`,
        text: 'This cannot be undone.',
        yes: 'Expel',
      });
      if (sure) await room.act(command, `/entrants/${entrant.id}/expulsion`, { confirm: true, reason: why });
    },
  })}</details>`;
}

/** Ids in the organiser's order, followed by later arrivals. */
function order(room) {
  if (!room.order) readOrder(room);
  const present = room.view.entrants.map(({ id }) => id);
  const first = (room.order ?? []).filter((id) => present.includes(id));
  return [...first, ...present.filter((id) => !first.includes(id))];
}

// Only the events contain the order.
async function readOrder(room) {
  room.order = [];
  for (let cursor, more = true; more;) {
    const page = await api
      .get(`${room.live.path}/events`, { query: { limit: 1000, cursor } })
      .catch(() => ({ events: [], more: false }));
    const ordered = page.events.findLast((event) => kindOf(event) === 'entrants_ordered');
    if (ordered) room.set({ order: ordered.data.entrants });
    ({ cursor, more } = page);
  }
}

/** Moves an entrant on the page immediately; the newest order is sent once the previous one is answered. */
async function move(room, ranks, index, by) {
  const isSending = room.busy === 'order';
  if ((room.busy && !isSending) || index + by < 0 || index + by >= ranks.length) return;
  const next = [...ranks];
  const [moved] = next.splice(index, 1);
  next.splice(index + by, 0, moved);
  let accepted = room.order;
  room.set({ order: next });
  while (!isSending && accepted !== room.order) {
    const sent = room.order;
    if (await room.act('order', '/order', { entrants: sent })) accepted = sent;
    else room.set({ order: accepted });
  }
}

export function byes(room) {
  const { view } = room;
  const first = firstUnpaired(view);
  const left = Array.from({ length: (view.rounds_planned ?? 0) - first + 1 }, (_, index) => first + index);
  const entrants = remaining(view).map(({ id }) => [id, room.names.id(id)]);
  return part('byes', 'Assign a bye', deskForm(room, {
    name: 'bye',
    label: 'Assign the bye',
    content: html`
      <p class="small">The entrant sits out that round. Entrants can request
        ${count(view.setup.requested_byes, 'bye')} each without your help.</p>
      <div class="inline">
        ${choice('bye-entrant', 'entrant', 'Entrant', entrants)}
        ${choice('bye-round', 'round', 'Round', left.map((each) => [each, each]))} ${halfField('bye-score')}
      </div>
      ${reason('bye')}`,
    send: async (values, form) => {
      if (await room.act('bye', '/byes', { ...values, round: Number(values.round) })) form.reset();
    },
  }));
}
