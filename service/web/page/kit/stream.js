/**
 * Follows a live stream of the service: server-sent events by `fetch`, which can send the token in a header.
 *
 * It connects again by itself, after an error as well as after the fifteen minutes that a stream lasts, and resumes
 * after the last message that was handled.
 */
import { Problem, address, identity, pause, refused } from './api.js';

const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
// The service sends a heartbeat at least every 30 seconds; a silent connection is dead.
const SILENCE_MS = 45_000;
const FINAL = new Set([400, 401, 403, 404, 406, 410]);

let ahead = 0;

/** Learns from a message how far the service's clock, by which countdowns run, is ahead of this machine's. */
export function synchronise(now) {
  if (now) ahead = now - Date.now();
}

/** The time by the service's clock, in ms since 1970. */
export const serverNow = () => Date.now() + ahead;

/**
 * @param {string} path such as `/v1/tables/ID/events`
 * @param {{query?: object, invitation?: string, onMessages: (messages: Message[]) => void,
 *   onState?: (state: 'connecting'|'open'|'lost') => void, onProblem?: (problem: Problem) => void}} options
 *   `onMessages` gets all messages that arrived together, so that one may draw only the last;
 *   `onProblem` hears why the stream cannot go on at all.
 * @returns {() => void} closes the stream
 * @typedef {{id?: string, type: string, data: object}} Message
 */
export function follow(path, options) {
  const stream = new Stream(path, options);
  stream.run();
  return () => stream.close();
}

class Stream {
  #closed = false;

  #last = '';

  #connection = null;

  constructor(path, { query, invitation, onMessages, onState = () => {}, onProblem = () => {} }) {
    Object.assign(this, { path, query, invitation, onMessages, onState, onProblem });
  }

  close() {
    this.#closed = true;
    this.#connection?.abort();
  }

  async run() {
    let wait = SHORTEST_PAUSE_MS;
    while (!this.#closed) {
      const began = Date.now();
      try {
        this.onState('connecting');
        await this.#connect();
      } catch (error) {
        if (this.#closed) return;
        if (error instanceof Problem && FINAL.has(error.status)) {
          this.onProblem(error);
          return;
        }
        wait = Math.max(wait, (error.retryAfter ?? 0) * 1000);
      }
      if (this.#closed) return;
      // A connection that has lasted begins a new series of attempts.
      if (Date.now() - began > SILENCE_MS) wait = SHORTEST_PAUSE_MS;
      this.onState('lost');
      // Chance keeps all browsers from coming back in the same moment after a restart.
      await pause(wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
    }
  }

  async #connect() {
    const { path, query, invitation } = this;
    const connection = new AbortController();
    this.#connection = connection;
    const headers = { Accept: 'text/event-stream', ...identity(path, { invitation }) };
    if (this.#last) headers['Last-Event-ID'] = this.#last;
    const response = await fetch(address(path, query), { headers, signal: connection.signal, cache: 'no-store' });
    if (!response.ok) throw await refused(response, headers);
    this.onState('open');
    await read(response.body.getReader(), (messages) => this.#handle(messages), () => connection.abort());
  }

  #handle(messages) {
    if (this.#closed || !messages.length) return;
    // Messages that are in no history, such as `presence`, have no id. That of a `reset` is empty.
    for (const { id = this.#last } of messages) this.#last = id;
    this.onMessages(messages);
  }
}

async function read(reader, handle, abort) {
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const silence = setTimeout(abort, SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    // The standard allows other line ends, too, but the service sends only this one.
    const blocks = rest.split('\n\n');
    rest = blocks.pop();
    handle(blocks.map(parse).filter(Boolean));
  }
}

function parse(block) {
  const message = { type: 'message', data: '' };
  for (const line of block.split('\n')) {
    if (line.startsWith('id:')) message.id = line.slice(4);
    else if (line.startsWith('event: ')) message.type = line.slice(7);
    else if (line.startsWith('data: ')) message.data += line.slice(6);
  }
  return message.data ? { ...message, data: JSON.parse(message.data) } : null;
}
