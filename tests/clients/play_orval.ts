// Plays a table with the client of orval, which calls `fetch` with paths.
import { act, getTable, openTable, registerPlayer, startTable, takeSeat } from './build/orval/api.js';
import type { Action } from './build/orval/api.js';

const ask = fetch;
globalThis.fetch = (path, options) => ask(`${process.argv[2]}${path}`, options);
const player = await registerPlayer({ name: 'Ada' });
if (player.status !== 201) throw new Error(player.data.code);
const options = { headers: { Authorization: `Bearer ${player.data.token}` } };
const opened = await openTable(
  { game: 'blindside', seats: 2, options: { rounds: 1 }, bot_delay: 0, round_pause: 0 }, undefined, options);
if (opened.status !== 201) throw new Error(opened.data.code);
const { id } = opened.data.view;
await takeSeat(id, {}, undefined, options);
await takeSeat(id, { policy: 'steady' }, undefined, options);
await startTable(id, {}, undefined, options);

for (;;) {
  const seen = await getTable(id, { include: 'legal_actions' }, options);
  if (seen.status !== 200) throw new Error(String(seen.status));
  const { view } = seen.data;
  if (view.phase === 'ended') {
    if (view.game === 'blindside') console.log(view.result?.outcome, view.options.rounds, view.view.keepers.length);
    break;
  }
  const action: Action | undefined = seen.data.legal_actions?.actions[0];
  if (action) await act(id, action, undefined, options);
  else await new Promise((resolve) => { setTimeout(resolve, 20); });
}
