/** Settings that can change during a tournament: sitting times, tie-breaks and scores of voided tables. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { count, moment } from '../../kit/words.js';
import { field } from '../../kit/form.js';
import { deskForm, folded, halfField, part, reason, withReason } from './forms.js';
import { half } from '../terms.js';
import { tiebreaksField, tiebreaksFor } from '../form/tiebreaks.js';
import { isArena, sittings } from '../view.js';

// A datetime-local field expects local time without a time zone.
function localTime(at) {
  if (!at) return '';
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function sittingsDesk(room, can) {
  const many = room.view.setup.sittings.length > 1;
  const line = ({ number, startsAt }) =>
    html`<p>${many ? `Sitting ${number}: ` : ''}${startsAt ? moment(startsAt) : 'no fixed time'}</p>`;
  return part('sittings', many ? 'Sittings' : 'Time', html`
    ${sittings(room.view).map(line)}
    ${can.sittings.map((sitting) => rescheduling(room, sitting, many))}`);
}

function rescheduling(room, { number, startsAt }, many) {
  const name = `sitting-${number}`;
  const help = room.view.setup.advance === 'schedule'
    ? 'Its first round will be paired then.' : 'Leave empty for no fixed time.';
  const content = html`
    ${field({ id: `starts-${number}`, name: 'at', label: 'Begins', kind: 'datetime-local', help,
      initial: localTime(startsAt) })}
    ${reason(name, { required: false })}`;
  const send = ({ at, reason: why }) => room.act(name, `/sittings/${number}/schedule`,
    withReason({ starts_at: at ? new Date(at).getTime() : null }, why));
  return html`<details><summary>Change the time${many ? ` of sitting ${number}` : ''}</summary>
    ${deskForm(room, { name, label: 'Save the time', content, send })}</details>`;
}

export const roundsDesk = (room, step = room.view.setup.deals_per_pairing) => folded('rounds', 'Add rounds', deskForm(room, {
  name: 'rounds',
  label: 'Add them',
  content: html`
    <p class="small">${count(room.view.rounds_planned, 'round is', 'rounds are')} planned. You can add more until the
      last one is paired.</p>
    ${field({ id: 'added-rounds', name: 'rounds', label: 'How many more', kind: 'number', min: step, step,
      max: 500 - room.view.rounds_planned, initial: `${step}`, required: true })}
    ${reason('rounds')}`,
  send: async (values, form) => {
    const body = { rounds: Number(values.rounds), reason: values.reason };
    if (await room.act('rounds', '/added-rounds', body)) form.reset();
  },
}));

export function tiebreaksDesk(room) {
  const { setup } = room.view;
  const stored = setup.tiebreaks;
  const chosen = room.tiebreaks ?? stored;
  const isChanged = JSON.stringify(chosen) !== JSON.stringify(stored);
  const send = async ({ reason: why }) => {
    const isDone = await room.act('tiebreaks', '/tiebreaks', withReason({ tiebreaks: chosen }, why));
    if (isDone) room.set({ tiebreaks: null });
  };
  return folded('tiebreaks', 'Tie-breaks', html`
    <p class="small">They rank entrants with the same score, in this order. You can change them until
      ${isArena(room.view) ? 'the bell rings' : 'the last round is paired'}; all standings are updated.</p>
    ${tiebreaksField(chosen, (tiebreaks) => room.set({ tiebreaks }), { offered: tiebreaksFor(setup), isHeaded: true })}
    ${isChanged
      ? deskForm(room, { name: 'tiebreaks', label: 'Save the tie-breaks',
        content: reason('tiebreaks', { required: false }), send })
      : nothing}`);
}

export const voided = (room, can) => part('voided', 'Voided tables', html`
  <p class="small">An administrator voided these results. Each entrant scores half a first place there,
    unless you decide otherwise.</p>
  ${can.voided.map((board) => scoring(room, board))}`);

function scoring(room, { round, board, void_score: score }) {
  const name = `void-${round}-${board}`;
  const content = html`<h3>Board ${board} of round ${round}</h3>
    <p>${score === null ? 'You have not set a score.' : `Each entrant has ${half(score)}.`}</p>
    <div class="inline">${halfField(name)}</div>${reason(name)}`;
  const send = async (values, form) => {
    if (await room.act(name, `/rounds/${round}/boards/${board}/void-score`, values)) form.reset();
  };
  return deskForm(room, { name, label: 'Set the score', content, send });
}
