/** Invitations to a tournament, for those who have one: a code typed in, and the code on the way to a table. */
import { html } from '../vendor/lit-html/lit-html.js';
import { commandForm } from '../kit/form.js';
import { session } from '../kit/session.js';
import { keepCode } from '../kit/sharing.js';

const CODE = { id: 'code', name: 'code', label: 'Invitation code', required: true };

const isRefused = (room) => room.refused?.problem.code === 'not_invited';

/** The field for the code, if the player needs one to enter and none is known, or the known one is wrong. */
export const codeField = (room) => (
  room.view.setup.invited_only && !room.isOrganiser && (!session.invitation(room.view.id) || isRefused(room))
    ? { ...CODE, help: 'Ask the organiser for the code, or for the link that contains it.' } : undefined);

/** Keeps the code entered in `codeField`; returns false, and says so, for a text that is none. */
export function takeCode(room, { code }) {
  if (code === undefined || keepCode(room.view.id, code)) return true;
  room.refuse('enter', { detail: 'A code has only letters, digits and hyphens.' });
  return false;
}

/** What somebody can do who finds no tournament: it may be private. */
export const uninvited = (room, id) => html`
  <p>If the tournament is private, only those who belong to it and those who were invited see it: open the link that you
    were given, or enter your invitation code.</p>
  ${commandForm({
    line: CODE,
    label: 'Use the code',
    below: html`<p class="small" role="status">${room.codeFault ?? (session.invitation(id)
      ? 'The code that this browser knows does not open it. Check the address and the code, or ask the organiser.' : '')}</p>`,
    send: ({ code }) => {
      if (keepCode(id, code)) location.reload();
      else room.set({ codeFault: 'A code has only letters, digits and hyphens.' });
    },
  })}`;

/** Takes the code along to the tables of a private tournament, where those who were only invited need it, too. */
export function takeAlong(room, { target }) {
  const table = /^\/tables\/(\w+)/.exec(target.closest?.('a[href]')?.getAttribute('href'))?.[1];
  const code = table && room.view?.setup.visibility === 'private' && session.invitation(room.view.id);
  if (code) session.keepInvitation(table, code);
}
