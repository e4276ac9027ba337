// Plays a table with the client of @hey-api/openapi-ts.
import { act, getTable, openTable, registerPlayer, startTable, takeSeat } from './build/hey-api/index.js';
import { client } from './build/hey-api/client.gen.js';
import type { Action } from './build/hey-api/index.js';

client.setConfig({ baseUrl: process.argv[2] });
const { data: player } = await registerPlayer({ body: { name: 'Ada' } });
client.setConfig({ auth: player!.token });
const { data: opened } = await openTable({
  body: { game: 'blindside', seats: 2, options: { rounds: 1 }, bot_delay: 0, round_pause: 0 } });
const path = { table_id: opened!.view.id };
await takeSeat({ path, body: {} });
await takeSeat({ path, body: { policy: 'steady' } });
await startTable({ path, body: {} });

for (;;) {
  const { data, error } = await getTable({ path, query: { include: 'legal_actions' } });
  if (!data) throw new Error(error.code);
  if (data.view.phase === 'ended') break;
  const action: Action | undefined = data.legal_actions?.actions[0];
  if (action) await act({ path, body: action });
  else await new Promise((resolve) => { setTimeout(resolve, 20); });
}

const { data: ended } = await getTable({ path });
const { view } = ended!;
if (view.game === 'blindside') console.log(view.result?.outcome, view.options.rounds, view.view.keepers.length);
