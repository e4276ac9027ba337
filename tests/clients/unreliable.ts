// Sends a command, reads three messages of a stream and waits for two jobs, at a service that keeps failing.
import { Client, Refused } from '../src/index.js';

const client = new Client(process.argv[2]!, { token: 'hw_1' });
const { data } = await client.api.POST('/v1/tables', { body: { game: 'blindside', seats: 2 } });
const events: string[] = [];
const impatient = new Client(process.argv[2]!, { token: 'hw_1', patienceMs: 400 });
for await (const message of impatient.table('t', { invitation: 'code' }).follow()) {
  if ('id' in message) events.push(message.id);
  if (events.length === 3) break;
}
const refused: unknown = await client.table('missing').look().catch((error: unknown) => error);
const verified = await client.api.POST('/v1/verify', { body: new Blob(['{}']) as unknown as string, bodySerializer: (body) => body });
const review = await client.api.GET('/v1/tables/{table_id}/review', { params: { path: { table_id: 't' } } });
console.log(JSON.stringify({
  data, events,
  refused: refused instanceof Refused && [refused.status, refused.code, refused.message],
  jobs: [verified.data?.valid, review.error?.code, new Refused(422, review.error).message],
}));
