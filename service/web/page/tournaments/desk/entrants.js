/** Entrants at the organiser's desk: bots, expulsions, byes and starting ranks. */
import { repeat } from '../../vendor/lit-html/directives/repeat.js';
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { gameInfo } from '../../kit/games.js';
import { count, humanised } from '../../kit/words.js';
import { confirm } from '../../kit/dialog.js';
import { commandButton } from '../acting.js';
import { field } from '../../kit/form.js';
import { choice, deskForm, folded, halfField, part, reason } from './forms.js';
import { substituting } from './substitutes.js';
import { remarks } from '../entrants.js';
import { kindOf } from '../live.js';
import { mayChangeTeam, teamName, teamsOf } from '../teams.js';
import { firstUnpaired, hasStarted, isAwaited, isOver, mayDecideAbsence, possible, remaining } from '../view.js';

export function entrantsDesk(room, can) {
  const { view } = room;
  return part('entrants', `Entrants (${remaining(view).length})`, html`
    ${can.bots ? bots(room) : nothing}
    ${room.isOrganiser && possible(room.view, room.me).enter ? entering(room) : nothing}
    ${view.entrants.length ? table(room, can) : html`<p>Nobody has entered yet.</p>`}
    ${can.rank ? html`<p class="small">The top entrant gets starting rank 1.</p>` : nothing}
    ${room.refusal('order')}`);
}

const entering = (room) => html`<div class="step">
  ${commandButton(room, 'enter-yourself', 'Enter the tournament yourself', () => room.act('enter-yourself', '/entrants'))}
  <p class="small">You cannot decide anything about tables where you sit, and everybody sees that you are the organiser.</p>
  ${room.refusal('enter-yourself')}</div>`;

function bots(room) {
  if (!room.levels) readLevels(room);
  const { levels } = room;
  return deskForm(room, {
    name: 'bots',
    label: 'Enter bots',
    content: html`
      <div class="inline">
        ${field({ id: 'bot-count', name: 'count', label: 'How many', kind: 'number', min: 1, max: 32, initial: '1',
          required: true })}
        ${choice('bot-policy', 'policy', 'Their play', levels.map(({ name }) => [name, humanised(name)]), 'steady')}
      </div>
      <p class="small">Bots enter like people and are always present.
        ${levels.map(({ name, meaning }) => html`<br><b>${humanised(name)}:</b> ${meaning}`)}</p>`,
    send: async (values) => {
      for (let left = Number(values.count); left > 0; left -= 1) {
        if (!(await room.act('bots', '/entrants', { policy: values.policy }))) return;
      }
    },
  });
}

async function readLevels(room) {
  // Set at once, or each drawing until the answer would ask again.
  room.levels = [{ name: 'steady', meaning: '' }];
  const { policies } = await gameInfo(room.view.setup.game).catch(() => ({}));
  if (policies) room.set({ levels: policies });
}

function table(room, can) {
  const ranks = can.rank ? order(room) : null;
  const byId = new Map(room.view.entrants.map((entrant, index) => [entrant.id, { entrant, index }]));
  const shown = (ranks ?? [...byId.keys()]).map((id) => byId.get(id));
  const line = (each, place) => row(room, { ...each, place, ranks });
  const caption = hasStarted(room.view) ? 'By starting rank' : ranks ? 'In your order'
    : 'In order of arrival';
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Entrants"><table class="entrants numbered">
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
    <th scope="row">${name}<br><span class="small">${remarks(room, entrant, index)}</span></th>
    <td class="orders">
      ${ranks ? moving(room, ranks, place, name) : nothing}
      ${isIn && room.isOrganiser && entrant.policy && entrant.left_after === null ? withdrawing(room, entrant, name)
        : nothing}
      ${isIn && !entrant.policy && entrant.left_after === null ? leaving(room, entrant, name) : nothing}
      ${room.isOrganiser && mayChangeTeam(view, entrant) ? puttingIntoTeam(room, entrant, name) : nothing}
      ${substituting(room, entrant, name)}
      ${isIn && mayExpel(room, entrant) ? expelling(room, entrant, name) : nothing}
    </td></tr>`;
}

/** Nobody but the organiser expels the organiser. */
const mayExpel = (room, { id }) => room.isFirstOrganiser || (room.isOrganiser && id !== room.view.organiser);

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
  return html`${commandButton(room, command, label, () => withdraw(room, entrant, name))}${room.refusal(command)}`;
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

/** For people: an absence from the next round's sitting, and a withdrawal. */
function leaving(room, entrant, name) {
  const { view } = room;
  const absent = `absent-${entrant.id}`;
  const withdrawal = `withdraw-${entrant.id}`;
  if (!mayDecideAbsence(view, room.me, entrant)) return nothing;
  return html`${isAwaited(view, entrant) ? html`<details><summary>Mark absent …<span class="unseen"> ${name}</span></summary>${
    deskForm(room, {
      name: absent,
      label: 'Mark absent',
      content: html`<p class="small">${name} is not paired until they check in again.</p>${reason(absent)}`,
      send: ({ reason: why }) => room.act(absent, `/entrants/${entrant.id}/absence`, { reason: why }),
    })}</details>` : nothing}
    <details><summary>Withdraw …<span class="unseen"> ${name}</span></summary>${deskForm(room, {
      name: withdrawal,
      label: 'Withdraw',
      content: html`<p class="small">${hasStarted(view) ? html`${name} finishes tables in play, keeps the results and does
        not return.` : html`${name} may enter again.`}</p>${reason(withdrawal)}`,
      send: ({ reason: why }) => room.act(withdrawal, `/entrants/${entrant.id}/withdrawal`, {
        confirm: true, reason: why }),
    })}</details>`;
}

function puttingIntoTeam(room, entrant, name) {
  const command = `team-${entrant.id}`;
  const others = teamsOf(room).filter(({ team }) => team !== entrant.team);
  const choices = [['none', 'none'], ...others.map(({ team }) => [team, teamName(room, team)])];
  const path = `/entrants/${entrant.id}/team`;
  return html`<details><summary>Team …<span class="unseen"> of ${name}</span></summary>${deskForm(room, {
    name: command,
    label: 'Change the team',
    content: html`${choice(`${command}-to`, 'team', 'Team', choices)}
      ${field({ id: `${command}-name`, name: 'name', label: 'Or a new team with the name', maxlength: 40 })}`,
    send: ({ team, name: founded }) => (founded.trim() ? room.act(command, '/teams', { name: founded.trim(), entrant: entrant.id })
      : room.act(command, path, { team: team === 'none' ? null : Number(team) })),
  })}</details>`;
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

/** Ids in the organiser's order, followed by later arrivals; null until the order is read, so that nobody moves the wrong one. */
function order(room) {
  room.readingOrder ??= readOrder(room);
  if (!room.order) return null;
  const present = room.view.entrants.map(({ id }) => id);
  const first = room.order.filter((id) => present.includes(id));
  return [...first, ...present.filter((id) => !first.includes(id))];
}

// Only the events contain the order.
async function readOrder(room) {
  let ordered = [];
  let offered = []; // in the order of the lists, after the entrants that were ordered by hand
  for (let cursor, more = true; more;) {
    const page = await api
      .get(`${room.live.path}/events`, { query: { limit: 1000, cursor } })
      .catch(() => ({ events: [], more: false }));
    for (const event of page.events) {
      const { entrants, players } = event.data;
      if (kindOf(event) === 'entrants_ordered') ordered = entrants;
      if (kindOf(event) === 'entries_offered') offered = [...offered.filter((id) => !players.includes(id)), ...players];
    }
    ({ cursor, more } = page);
  }
  room.set({ order: [...new Set([...ordered, ...offered])] });
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
  return folded('byes', 'Assign a bye', deskForm(room, {
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
