/** Officials: co-organisers, named and removed by the organiser, and arbiters. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { field } from '../../kit/form.js';
import { session } from '../../kit/session.js';
import { list } from '../../kit/words.js';
import { commandButton } from '../acting.js';
import { deskForm, folded, part } from './forms.js';

/** The roles that can be given: the path of their commands, and what the desk says. */
const CO_ORGANISER = {
  path: 'co-organisers',
  title: 'Co-organisers',
  command: 'co-organiser',
  label: 'Name the co-organiser',
  meaning: 'A co-organiser may do everything that you may, except name co-organisers, cancel the tournament and expel you.',
};
const ARBITER = {
  path: 'arbiters',
  title: 'Arbiters',
  command: 'arbiter',
  label: 'Name the arbiter',
  meaning: 'An arbiter sees the boards in play, ends tables, rules on results, marks entrants as absent and withdraws '
    + 'them. Arbiters do not play.',
};

export const officialsDesk = (room) => [
  room.isFirstOrganiser ? naming(room, CO_ORGANISER, room.view.co_organisers) : resigning(room),
  naming(room, ARBITER, room.view.arbiters),
];

const naming = (room, role, named) => folded(role.path, role.title, html`
  <p class="small">${role.meaning}</p>
  ${named.length ? html`<ul>${named.map((official) => html`<li>
    <a href="/players/${official.id}">${official.name}</a> ${removing(room, role, official)}</li>`)}</ul>` : nothing}
  ${deskForm(room, {
    name: role.command,
    label: role.label,
    content: field({ id: `${role.command}-player`, name: 'player', label: 'Player', required: true,
      help: 'The address of the player’s page, or its last part.' }),
    send: async ({ player }, form) => {
      if (await room.act(role.command, `/${role.path}`, { player: idIn(player) })) form.reset();
    },
  })}`, { note: list(named.map(({ name }) => name)) });

/** The id of a player in the address of their page. */
export const idIn = (address) => address.trim().replace(/\/+$/, '').split('/').at(-1);

function removing(room, role, { id, name }, label = html`Remove<span class="unseen"> ${name}</span>`) {
  const command = `${role.command}-${id}`;
  return html`${commandButton(room, command, label, () => room.act(command, `/${role.path}/removal`, { player: id }))}${
    room.refusal(command)}`;
}

export const resigning = (room) => part('role', 'Your role', room.isArbiter
  ? removing(room, ARBITER, session.player, 'Resign as an arbiter')
  : removing(room, CO_ORGANISER, session.player, 'Resign as a co-organiser'));
