// Plays a table against a bot with random legal actions: node dist/examples/play.js http://127.0.0.1:8000 blindside
import { Client, randomAction } from '../src/index.js';
import type { TableForm } from '../src/index.js';

const [url, game] = process.argv.slice(2);
const client = new Client(url!);
await client.register('Ada');
const table = await client.openTable({ game, seats: 2, bot_delay: 0, round_pause: 0 } as TableForm);
await table.sit();
await table.sit({ policy: 'steady' });
await table.start();
const { outcome, places, scores } = await table.play((turn) => randomAction(turn.legal));
console.log(`${outcome}: places [${places}], scores [${scores}]`);
