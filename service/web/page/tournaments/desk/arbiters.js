/** Arbiters: named and removed by the organiser. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { field } from '../../kit/form.js';
import { session } from '../../kit/session.js';
import { commandButton } from '../acting.js';
import { deskForm, part } from './forms.js';

export const arbitersDesk = (room) => part('arbiters', 'Arbiters', html`
  <p class="small">An arbiter sees the boards in play, ends tables, rules on results, marks entrants as absent and
    withdraws them. Arbiters do not play.</p>
  ${room.view.arbiters.length ? html`<ul>${room.view.arbiters.map((arbiter) => html`<li>
    <a href="/players/${arbiter.id}">${arbiter.name}</a> ${removing(room, arbiter)}</li>`)}</ul>` : nothing}
  ${deskForm(room, {
    name: 'arbiter',
    label: 'Name the arbiter',
    content: field({ id: 'arbiter-player', name: 'player', label: 'Player', required: true,
      help: 'The address of the player’s page, or its last part.' }),
    send: async ({ player }, form) => {
      const id = player.trim().replace(/\/+$/, '').split('/').at(-1);
      if (await room.act('arbiter', '/arbiters', { player: id })) form.reset();
    },
  })}`);

function removing(room, { id, name }, label = html`Remove<span class="unseen"> ${name}</span>`) {
  const command = `arbiter-${id}`;
  return html`${commandButton(room, command, label, () => room.act(command, '/arbiters/removal', { player: id }))}${
    room.refusal(command)}`;
}

export const resigning = (room) => part('arbiters', 'Your role', removing(room, session.player, 'Resign as an arbiter'));
