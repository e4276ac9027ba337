/** Forms of the organiser's desk: a command, its reason and its error. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';

export const part = (id, title, content) => html`
  <section class="panel part" aria-labelledby="desk-${id}"><h2
    id="desk-${id}">${title}</h2>${content}</section>`;

export const reason = (id, { required = true } = {}) => html`<div class="field">
  <label for="reason-${id}">Reason${required ? '' : ' (optional)'}</label>
  <input id="reason-${id}" name="reason" maxlength="500" autocomplete="off" ?required=${required}
    aria-describedby="reason-${id}-help">
  <p class="small" id="reason-${id}-help">Everybody can read it in the history.</p></div>`;

/**
 * @param {import('../acting.js').TournamentRoom} room
 * @param {{name: string, label: string, content?: unknown, main?: boolean, danger?: boolean,
 *   send: (values: object, form: HTMLFormElement) => unknown}} command `send` receives the field values
 */
export function commandForm(room, { name, label, content = nothing, send, main = false, danger = false }) {
  const submit = (event) => {
    event.preventDefault();
    if (room.busy) return;
    send(Object.fromEntries(new FormData(event.target)), event.target);
  };
  const busy = room.busy === name;
  return html`<form class="command" data-command=${name} @submit=${submit}>${content}
    <button class=${main ? 'main' : danger ? 'danger' : nothing} aria-disabled=${busy ? 'true'
      : nothing}>${busy ? 'One moment …' : label}</button>
    ${room.refusal(name)}</form>`;
}

/** Omits an empty reason, which the API rejects. */
export const withReason = (body, text) => (text?.trim() ? { ...body, reason: text.trim() } : body);

export const inline = (id, label, control) => html`<span><label for=${id}>${label}</label> ${control}</span>`;

/** A score as a fraction of a first place. */
export const halfField = (id) =>
  inline(
    id,
    'Score',
    html`<select id=${id} name="score">
  <option value="0">0</option><option value="1/2" selected>½</option><option value="1">1</option></select>`,
  );
