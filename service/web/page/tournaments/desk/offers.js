/** Offers of an entry: a list of players is read, shown with its faults, and then each of the players found gets an offer. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { field } from '../../kit/form.js';
import { count } from '../../kit/words.js';
import { commandButton } from '../acting.js';
import { mayEnter } from '../view.js';
import { deskForm, folded } from './forms.js';

const MAX_LENGTH = 60_000;

const STATUS = { open: 'has not answered', accepted: 'entered', declined: 'declined', withdrawn: 'taken back' };

export function offersDesk(room) {
  const { view } = room;
  if (view.phase === 'draft') return nothing;
  readOffers(room);
  if (!mayEnter(view) && !room.offers?.length) return nothing;
  return folded('offers', 'Offer entries', html`
    ${mayEnter(view) ? (room.found ? foundPlayers(room) : listForm(room)) : nothing}
    ${room.offers?.length ? offers(room) : nothing}`);
}

const listForm = (room) => deskForm(room, {
  name: 'list',
  label: 'Find the players',
  content: html`
    <p class="small">Players to whom you offer an entry see the tournament, and can enter without a code or your approval.
      Nobody is entered automatically.</p>
    <div class="field"><label for="list-file">A file, or text below</label><input type="file" id="list-file"
      accept=".csv,.txt,.trf" @change=${({ target }) => readFile(room, target)}></div>
    ${field({ id: 'list', label: 'List of players', kind: 'lines', rows: 6, maxlength: MAX_LENGTH, value: room.list ?? '',
      input: (list) => room.set({ list }),
      help: html`CSV whose first line names the columns: <code>id</code> (also the address of a player’s page), <code>name</code>,
        <code>order</code>. Or a tournament report (TRF). The entrants of another tournament, saved as CSV, are such a list, too.` })}`,
  send: () => find(room),
});

async function readFile(room, { files: [file] }) {
  if (file) room.set({ list: essential(await file.text()) });
}

/** A report without its results, which are not read. */
const essential = (text) => (/^001 /m.test(text)
  ? text.split('\n').map((line) => line.slice(0, 47)).join('\n') : text);

async function find(room) {
  room.set({ busy: 'list', refused: null });
  try {
    room.set({ found: await api.post(`${room.live.path}/entrant-lists`, { list: room.list ?? '' }), busy: '' });
  } catch (problem) {
    room.refuse('list', problem);
  }
}

function foundPlayers(room) {
  const { players, problems } = room.found;
  return html`
    ${players.length ? html`<p>${count(players.length, 'player')} can get an offer:</p>
      <ol>${players.map(({ player, name }) => html`<li><a href="/players/${player}">${name}</a></li>`)}</ol>`
      : html`<p>The list has nobody who can get an offer.</p>`}
    ${problems.length ? html`<div class="scroll" tabindex="0" role="region" aria-label="Other lines"><table class="entrants">
      <caption>${count(problems.length, 'line')} without such a player</caption>
      <thead><tr><th scope="col" class="number">Line</th><th scope="col">Player</th><th scope="col">Reason</th></tr></thead>
      <tbody>${problems.map(({ line, given, detail }) => html`<tr><td class="number">${line}</td><th
        scope="row">${given}</th><td>${detail}</td></tr>`)}</tbody></table></div>` : nothing}
    <p>${players.length ? commandButton(room, 'offer', `Offer an entry to ${count(players.length, 'player')}`,
      () => offer(room, players), 'main') : nothing}
      <button type="button" @click=${() => room.set({ found: null })}>Change the list</button></p>
    ${room.refusal('offer')}`;
}

async function offer(room, players) {
  if (await room.act('offer', '/offers', { players: players.map(({ player }) => player) })) {
    room.set({ found: null, list: '', order: null });
  }
}

function offers(room) {
  const open = room.offers.filter(({ status }) => status === 'open').map(({ player }) => player);
  const takingBack = (command, label, players) => html`${commandButton(room, command, label,
    () => room.act(command, '/offers/withdrawal', { players }))}${room.refusal(command)}`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Offers"><table class="entrants">
    <caption>Players whom you offered an entry; ${open.length} have not answered</caption>
    <thead><tr><th scope="col">Player</th><th scope="col">Answer</th><th scope="col">Actions</th></tr></thead>
    <tbody>${room.offers.map(({ player, name, status }) => html`<tr>
      <th scope="row"><a href="/players/${player}">${name}</a></th><td>${STATUS[status]}</td>
      <td class="orders">${status === 'open' ? takingBack(`take-back-${player}`, html`Take back<span class="unseen"> the
        offer to ${name}</span>`, [player]) : nothing}</td></tr>`)}</tbody></table></div>
    ${open.length > 1 ? takingBack('take-all-back', 'Take all back', open) : nothing}`;
}

// Only the ids of players with an open offer are in the view, so the rest is read when they change.
async function readOffers(room) {
  const state = room.view.offered.join();
  if (room.offersAt === state) return;
  room.offersAt = state;
  const answer = await api.get(`${room.live.path}/offers`).catch(() => null);
  if (room.offersAt !== state) return; // a later reading knows more
  if (answer) room.set({ offers: answer.offers });
  else room.offersAt = null;
}
