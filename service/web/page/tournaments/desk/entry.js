/** Who enters: the invitation with its link and QR code, and the players who ask to enter. */
import { repeat } from '../../vendor/lit-html/directives/repeat.js';
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { confirm } from '../../kit/dialog.js';
import '../../kit/share.js';
import { commandButton } from '../acting.js';
import { mayEnter } from '../view.js';
import { part, reading } from './forms.js';

/** True if players need the code to enter. */
export const hasInvitation = ({ setup }) => setup.invited_only || setup.visibility === 'private';

export function entryDesk(room) {
  const { approval } = room.view.setup;
  if (!hasInvitation(room.view) && !approval) return nothing;
  return part('entry', 'Who enters', html`
    ${hasInvitation(room.view) ? invitation(room) : nothing}
    ${approval ? requests(room) : nothing}`);
}

function invitation(room) {
  const { id } = room.view;
  if (!room.invitation) return reading(room, 'invitation');
  return html`
    <hw-share .shared=${{
      id,
      label: 'Link for players',
      link: `${location.origin}/tournaments/${id}#invitation=${room.invitation}`,
      explained: html`Those who have this link can ${room.view.setup.approval ? 'ask to enter' : 'enter'}. The code alone: <b>${room.invitation}</b>`,
      invites: `You are invited to ${room.view.setup.name}.`,
      hasQr: true,
    }}></hw-share>
    ${commandButton(room, 'invitation', 'Replace the code …', () => replace(room))}${room.refusal('invitation')}`;
}

async function replace(room) {
  const sure = await confirm({
    title: 'Replace the invitation code?',
    text: 'Earlier codes and links stop working. Those who have entered stay.',
    yes: 'Replace it',
  });
  if (!sure || !(await room.act('invitation', '/invitation'))) return;
  const answer = await api.get(`${room.live.path}/invitation`).catch(() => null);
  room.set({ invitation: answer?.invitation }); // never the old code, which no longer works
}

function requests(room) {
  const { applicants } = room.view;
  if (!applicants.length) return html`<p>Nobody is waiting for your decision. Players who ask to enter appear here.</p>`;
  const open = applicants.filter(({ is_declined: isDeclined }) => !isDeclined).length;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Requests"><table class="entrants">
    <caption>${open ? 'Players who ask to enter, in order of their requests' : 'You have declined these players'}</caption>
    <thead><tr><th scope="col">Player</th><th scope="col">Your decision</th></tr></thead>
    <tbody>${repeat(applicants, ({ id }) => id, (applicant) => request(room, applicant))}</tbody></table></div>`;
}

function request(room, { id, name, is_declined: isDeclined }) {
  const decide = (verb, path) => {
    const command = `${path}-${id}`;
    return html`${commandButton(room, command, html`${verb}<span class="unseen"> ${name}</span>`,
      () => room.act(command, `/applicants/${id}/${path}`))}${room.refusal(command)}`;
  };
  return html`<tr>
    <th scope="row"><a href="/players/${id}">${name}</a>${isDeclined ? html`<br><span
      class="small">declined</span>` : nothing}</th>
    <td class="orders">${mayEnter(room.view) ? decide('Accept', 'acceptance') : html`<span class="small">It is too late to
      accept.</span>`} ${isDeclined ? nothing : decide('Decline', 'refusal')}</td></tr>`;
}
