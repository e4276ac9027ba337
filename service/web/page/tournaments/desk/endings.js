/** Pausing, finishing early and cancelling. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { confirm } from '../../kit/dialog.js';
import { isArena } from '../view.js';
import { deskForm, part, reason, withReason } from './forms.js';

export function endings(room, can) {
  if (!can.pause && !can.finish && !(can.cancel && room.isFirstOrganiser)) return nothing;
  return part(
    'endings',
    can.pause || can.finish ? 'Pause and end' : 'Cancel',
    html`
    ${can.pause ? pause(room) : nothing}
    ${can.finish === 'early' ? finish(room) : nothing}
    ${can.cancel && room.isFirstOrganiser ? cancel(room) : nothing}`,
  );
}

const pause = (room) => html`<details><summary>Pause the tournament</summary>
  <p class="small">No round, new table, check-in or grace time starts or ends until you resume. Tables in play
    continue.</p>
  ${deskForm(room, {
    name: 'pause',
    label: 'Pause',
    content: reason('pause', { required: false }),
    send: ({ reason: why }) => room.act('pause', '/pause', withReason({}, why)),
  })}</details>`;

const finish = (room) => html`<details><summary>Finish it before ${
  isArena(room.view) ? 'the bell' : 'its last round is complete'}</summary>
  <p class="small">No more rounds will be paired. Tables in play finish and count; then the standings
    are final.</p>
  ${deskForm(room, {
    name: 'finish-early',
    label: 'Finish it now',
    look: 'danger',
    content: reason('finish'),
    send: async ({ reason: why }) => {
      const sure = await confirm({
        title: 'Finish the tournament now?',
        text: 'There will be no more rounds. This cannot be undone.',
        yes: 'Finish it',
      });
      if (sure) await room.act('finish-early', '/finish', { confirm: true, reason: why });
    },
  })}</details>`;

const cancel = (room) => html`<details><summary>Cancel the tournament</summary>
  <p class="small">Open tables end without a result, nobody gets a place, and the seed is revealed.</p>
  ${deskForm(room, {
    name: 'cancel',
    label: 'Cancel it …',
    look: 'danger',
    content: reason('cancel'),
    send: async ({ reason: why }) => {
      const title = `Cancel ${room.view.setup.name}?`;
      const sure =
        (await confirm({
          title,
          text: 'All open tables end without a result. This cannot be undone.',
          yes: 'Yes, cancel it',
        })) &&
        (await confirm({
          title: 'Really cancel it?',
          text: `Everybody can read your reason: ${why}`,
          yes: 'Cancel the tournament',
        }));
      if (sure) await room.act('cancel', '/cancel', { confirm: true, reason: why });
    },
  })}</details>`;
