/** Parts of the organiser's desk: a command's form, its reason, a score, and what it reads once. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { Problem, api } from '../../kit/api.js';
import { commandForm, field } from '../../kit/form.js';
import { failure } from '../../kit/words.js';

export const part = (id, title, content) => html`
  <section class="panel part" aria-labelledby="desk-${id}"><h2
    id="desk-${id}">${title}</h2>${content}</section>`;

/** A part that is rarely needed, and opens on demand; `note` says what is in it. */
export const folded = (id, title, content, { note, toggle } = {}) => html`
  <details class="panel part" @toggle=${toggle}><summary><h2 id="desk-${id}">${title}</h2>${note ? html` <span
    class="small">${note}</span>` : nothing}</summary>${content}</details>`;

export const reason = (id, { required = true } = {}) => field({
  id: `reason-${id}`,
  name: 'reason',
  label: `Reason${required ? '' : ' (optional)'}`,
  required,
  maxlength: 500,
  help: 'Everybody can read it in the history.',
});

/**
 * @param {import('../acting.js').TournamentRoom} room
 * @param {object} command see `commandForm` of kit/form.js
 */
export const deskForm = (room, { name, send, ...about }) => commandForm({
  name,
  ...about,
  isBusy: room.busy === name,
  below: room.refusal(name),
  send: (values, form) => !room.busy && send(values, form),
});

/** Omits an empty reason, which the API rejects. */
export const withReason = (body, text) => (text?.trim() ? { ...body, reason: text.trim() } : body);

export const choice = (id, name, label, choices, initial) => (
  field({ id, name, label, kind: 'choice', choices, initial }));

/** A score as a fraction of a first place. */
export const halfField = (id) => choice(id, 'score', 'Score', [['0', '0'], ['1/2', '½'], ['1', '1']], '1/2');

/** Reads a part of the desk as `room[name]`, once. Returns a failure to show, if any, with a button to try again. */
export function reading(room, name) {
  room.readings ??= {};
  const state = room.readings[name];
  const turn = (next, changes = {}) => {
    room.readings[name] = next;
    room.set(changes);
  };
  // Drawing asks, so an immediate retry would never end.
  if (!state) {
    room.readings[name] = 'asked';
    api.get(`${room.live.path}/${name}`).then((answer) => turn(null, { [name]: answer[name] }), turn);
  }
  return state instanceof Problem ? failure(state, () => turn(null)) : nothing;
}
