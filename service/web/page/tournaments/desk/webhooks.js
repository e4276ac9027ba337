/** Webhooks: signed messages to programs elsewhere. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { confirm } from '../../kit/dialog.js';
import { field } from '../../kit/form.js';
import '../../kit/share.js';
import { failure, list, moment } from '../../kit/words.js';
import { commandButton } from '../acting.js';
import { deskForm, folded, reading } from './forms.js';
import { isOver } from '../view.js';

const MAX_WEBHOOKS = 3;
const POLL_MS = 3000;

const TYPES = {
  'round.paired': 'pairings',
  'round.started': 'starts of rounds',
  'table.result': 'results',
  'result.changed': 'changed results',
  'round.ended': 'standings after rounds',
  'tournament.ended': 'the end',
  announcement: 'announcements',
};

const OUTCOMES = {
  delivered: 'arrived',
  redirected: 'was redirected, which is not followed',
  rejected: 'was rejected (4xx)',
  broken: 'met an error of the receiver (5xx)',
  gone: 'was answered with “gone” (410)',
  unanswered: 'got no valid answer in time',
  refused: 'was not sent, because this is no public address',
};

const STATES = { working: 'Working', failing: 'Failing', stopped: 'Stopped' };

/** Reads the webhooks again until the outcome of a test is known. */
export function followWebhooks(room) {
  room.every(POLL_MS, () => {
    const { webhooks: before } = room;
    if (!before?.some(({ is_tested: isTested }) => !isTested)) return;
    // A command that is answered meanwhile knows more. A failed reading is repeated soon.
    api.get(`${room.live.path}/webhooks`).then(
      ({ webhooks }) => room.webhooks === before && room.set({ webhooks }), () => {});
  });
}

export function webhooksDesk(room) {
  if (!room.webhooks) return reading(room, 'webhooks');
  const { webhooks } = room;
  const isFull = webhooks.length >= MAX_WEBHOOKS;
  if (isOver(room.view) && !webhooks.length) return nothing;
  return folded('webhooks', 'Webhooks', html`
    <p class="small">A program elsewhere, such as a club’s chat or website, gets a signed message when something happens here.
      It learns only what everybody who sees the tournament can see.</p>
    ${webhooks.length ? html`<ul class="webhooks">${webhooks.map((webhook) => shown(room, webhook))}</ul>` : nothing}
    ${room.webhookSecret ? secret(room) : nothing}
    ${isFull || isOver(room.view) ? nothing : adding(room)}`, { note: summary(webhooks) });
}

/** 'working, failing' */
const summary = (webhooks) => list(webhooks.map(({ state, attempted_at: at }) => (at ? STATES[state].toLowerCase() : 'not used yet')));

/** Sends a command about webhooks; returns its answer, or nothing if it was refused. */
async function command(room, name, path, send, body) {
  room.set({ busy: name, refused: null });
  try {
    const answer = await send(`${room.live.path}/webhooks${path}`, body);
    const { webhooks } = answer.webhooks ? answer : await api.get(`${room.live.path}/webhooks`);
    room.set({ busy: '', webhooks });
    return answer;
  } catch (problem) {
    room.refuse(name, problem);
    return null;
  }
}

function shown(room, webhook) {
  const { id, url, types, state, outcome, attempted_at: at, next_at: next, is_tested: isTested } = webhook;
  const host = new URL(url).hostname;
  const unseen = html`<span class="unseen"> ${host}</span>`;
  const act = (verb, label, press) => commandButton(room, `${verb}-${id}`, html`${label}${unseen}`, press);
  return html`<li data-webhook=${id}>
    <p><b class="address">${url}</b><br><span class="small">${list(types.map((type) => TYPES[type]))}</span></p>
    <p role="status">${at ? STATES[state] : 'No message so far'}${isTested ? nothing : ', being tested …'}
      ${at ? html`<span class="small">The last message ${OUTCOMES[outcome]}, ${moment(at)}.${next ? html` Next attempt ${moment(next)}.`
        : nothing}${state === 'stopped' ? ' Test it to let it work again.' : nothing}</span>` : nothing}</p>
    <p class="inline">${act('test', 'Test', () => command(room, `test-${id}`, `/${id}/test`, api.post))}
      ${act('secret', 'New secret …', () => renew(room, id, host))}
      ${act('remove', 'Remove …', () => remove(room, id, host))}</p>
    ${['test', 'secret', 'remove'].map((verb) => room.refusal(`${verb}-${id}`))}</li>`;
}

async function renew(room, id, host) {
  const sure = await confirm({
    title: 'Replace the secret?',
    text: `Messages to ${host} are signed with the old secret, too, for one more day.`,
    yes: 'Replace it',
  });
  if (sure) keep(room, await command(room, `secret-${id}`, `/${id}/secret`, api.post));
}

async function remove(room, id, host) {
  const sure = await confirm({ title: 'Remove the webhook?', text: `${host} gets no more messages.`, yes: 'Remove it' });
  if (!sure) return;
  if (room.webhookSecret?.id === id) room.webhookSecret = null;
  await command(room, `remove-${id}`, `/${id}`, api.del);
}

function keep(room, answer) {
  if (answer) room.set({ webhookSecret: answer });
}

const secret = ({ webhookSecret: { id, secret: text } }) => html`<hw-share .shared=${{
  id: `webhook-${id}`,
  label: 'Secret for the receiver',
  link: text,
  explained: 'Copy it now: it is not shown again.',
  invites: 'The secret of a webhook',
}}></hw-share>`;

const adding = (room) => html`<h3>Add a webhook</h3>${deskForm(room, {
  name: 'webhook',
  label: 'Add the webhook',
  content: html`
    ${field({ id: 'webhook-url', name: 'url', label: 'Address', required: true, maxlength: 2000,
      pattern: 'https://.+/.*', title: 'An https address with a path, such as https://example.org/hook',
      help: 'It begins with https:// and is on the public internet.' })}
    <fieldset><legend>Messages about</legend>${Object.entries(TYPES).map(([type, words]) => html`
      <label class="kind"><input type="checkbox" name="type" value=${type} checked> ${words}</label>`)}</fieldset>`,
  send: async ({ url }, form) => {
    const types = [...form.querySelectorAll('[name=type]:checked')].map(({ value }) => value);
    const answer = await command(room, 'webhook', '', api.post, { url: url.trim(), types });
    keep(room, answer);
    if (answer) form.reset();
  },
})}`;
