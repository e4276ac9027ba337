export type * from './api.js';
export { Client, Table } from './client.js';
export { Refused, Unreachable } from './protocol.js';
export { randomAction } from './turns.js';
export type { Turn } from './turns.js';
