// Plays a table with the types of openapi-typescript and its client, openapi-fetch.
import createClient from 'openapi-fetch';
import type { paths, components } from '../src/api.js';

const service = createClient<paths>({ baseUrl: process.argv[2] });
const { data: player } = await service.POST('/v1/players', { body: { name: 'Ada' } });
const headers = { Authorization: `Bearer ${player!.token}` };
const { data: opened } = await service.POST('/v1/tables', {
  headers, body: { game: 'blindside', seats: 2, options: { rounds: 1 }, bot_delay: 0, round_pause: 0 } });
const path = { table_id: opened!.view.id };
await service.POST('/v1/tables/{table_id}/seats', { headers, params: { path }, body: {} });
await service.POST('/v1/tables/{table_id}/seats', { headers, params: { path }, body: { policy: 'steady' } });
await service.POST('/v1/tables/{table_id}/start', { headers, params: { path }, body: {} });

for (;;) {
  const { data, error } = await service.GET('/v1/tables/{table_id}', {
    headers, params: { path, query: { include: 'legal_actions' } } });
  if (!data) throw new Error(error.code);
  if (data.view.phase === 'ended') break;
  const action: components['schemas']['Action'] | undefined = data.legal_actions?.actions[0];
  if (action) await service.POST('/v1/tables/{table_id}/actions', { headers, params: { path }, body: action });
  else await new Promise((resolve) => { setTimeout(resolve, 20); });
}

const { data: ended } = await service.GET('/v1/tables/{table_id}', { params: { path } });
const { view } = ended!;
if (view.game === 'blindside') console.log(view.result?.outcome, view.options.rounds, view.view.keepers.length);

// A message of a live stream narrows by its name.
export const dealt = (message: components['schemas']['TableStreamMessage']) => (
  message.event === 'view' ? message.data.events.map(({ type, data }) => (type === 'blindside.round_dealt' ? data.hands : []))
    : []);
