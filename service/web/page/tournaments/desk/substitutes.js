/** Handing an entrant's place over to another player. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { field } from '../../kit/form.js';
import { session } from '../../kit/session.js';
import { commandButton } from '../acting.js';
import { isArena, isLive, isRoundLeft } from '../view.js';
import { deskForm, reason } from './forms.js';
import { idIn } from './officials.js';

/** False where an organiser who plays could replace a rival, and when no round follows. */
function maySubstitute({ view, me, isOrganiser }, entrant) {
  const isRival = me?.left_after === null && me.id !== entrant.id && ['round_robin', 'knockout'].includes(view.setup.format);
  return isOrganiser && isLive(view) && isRoundLeft(view) && !isArena(view) && !isRival;
}

export function substituting(room, entrant, name) {
  if (entrant.policy || entrant.status === 'expelled' || !maySubstitute(room, entrant)) return nothing;
  return entrant.offered_to ? takingBack(room, entrant) : offering(room, entrant, name);
}

function offering(room, entrant, name) {
  const command = `substitute-${entrant.id}`;
  return html`<details><summary>Substitute …<span class="unseen"> ${name}</span></summary>${deskForm(room, {
    name: command,
    label: 'Offer the place',
    content: html`<p class="small">A player who takes the place keeps its score, opponents and number, and plays from
        the next round on. ${name} finishes tables in play.</p>
      ${field({ id: `${command}-player`, name: 'player', label: 'Substitute', required: true,
        help: 'The address of the player’s page, or its last part. Send them the link to this tournament: they accept on its page.' })}
      ${reason(command)}`,
    send: ({ player, reason: why }) => room.act(command, `/entrants/${entrant.id}/substitute`, {
      player: idIn(player), reason: why }),
  })}</details>`;
}

function takingBack(room, { id, offered_to: to }) {
  const command = `take-back-${id}`;
  const body = to.id === session.player.id ? {} : { player: to.id };
  const label = html`Take the offer back<span class="unseen"> to ${to.name}</span>`;
  return html`${commandButton(room, command, label, () => room.act(command, '/place/refusal', body))}${
    room.refusal(command)}`;
}
