import createClient from 'openapi-fetch';
import type {
  AcceptedAnswer, Action, JobAnswer, MyTablesStreamMessage, Registered, Result, TableAnswer, TableForm, TableStreamMessage, paths,
} from './api.js';
import { Attempts, Refused, Unreachable, messagesOf, outcomeOf, refusal } from './protocol.js';
import { Turns } from './turns.js';
import type { Turn } from './turns.js';

const TIMEOUT_MS = 30_000;
const JOB_PAUSE_MS = 1_000;

type Answer<T> = { data?: T; error?: unknown; response: Response };
/** The operations without the responses 202, because the client waits for the job. */
type Operations = { [Path in keyof paths]: { [Method in keyof paths[Path]]: Settled<paths[Path][Method]> } };
type Settled<T> = T extends { responses: infer R } ? Omit<T, 'responses'> & { responses: Omit<R, 202> } : T;

/** Sends requests to one service as one player, or without a token as a spectator. */
export class Client {
  /** Identifies the player; `register` sets it. */
  token?: string;
  readonly url: string;
  readonly patienceMs: number;
  /** Any request of the API, typed: `client.api.GET('/v1/games')`. It is repeated until there is a response, or a job's result. */
  readonly api;

  /** Takes the address of the service, and for how long a request is repeated while the service does not answer. */
  constructor(url: string, { token, patienceMs = 60_000 }: { token?: string; patienceMs?: number } = {}) {
    this.url = new URL(url).href.replace(/\/$/, '');
    this.token = token;
    this.patienceMs = patienceMs;
    this.api = createClient<Operations>({ baseUrl: this.url, fetch: async (request) => this.#settle(await this.#send(request)) });
  }

  /** Registers a player, by default a guest, and uses the new token from now on. */
  async register(name?: string): Promise<Registered> {
    const registered = resultOf(await this.api.POST('/v1/players', { body: name ? { name } : {} }));
    this.token = registered.token;
    return registered;
  }

  /** Opens a table. You become its host, without a seat. */
  async openTable(form: TableForm): Promise<Table> {
    return this.table(resultOf(await this.api.POST('/v1/tables', { body: form })).view.id);
  }

  /** Returns an existing table; a private one needs its invitation code unless you sit there. */
  table(id: string, { invitation }: { invitation?: string } = {}): Table {
    return new Table(this, id, invitation);
  }

  /** Yields your tables, and then each offered seat, start, turn and end at any of them. */
  news(after = ''): AsyncGenerator<MyTablesStreamMessage> {
    return this.follow('/v1/me/events', { after });
  }

  /** Yields each message of a live stream, and resumes the stream when it breaks; `after` is the id of a message. */
  async* follow(path: string, { after = '', invitation = '' } = {}): AsyncGenerator<any> {
    const attempts = new Attempts(this.patienceMs);
    for (let last = after; ;) {
      let response: Response | undefined;
      const connection = new AbortController();
      const opening = setTimeout(() => connection.abort(), TIMEOUT_MS);
      try {
        const headers = { Accept: 'text/event-stream', ...this.#identity(invitation), ...last && { 'Last-Event-ID': last } };
        const stream = await fetch(this.url + path, { headers, signal: connection.signal });
        clearTimeout(opening);
        if (stream.ok) {
          for await (const message of messagesOf(stream.body!)) {
            attempts.succeed();
            if (!message) continue;
            // A `reset` has an empty id, so that the stream restarts with a snapshot if it breaks here.
            if (message.id !== undefined) last = message.id;
            yield message;
          }
        } else response = stream;
      } catch { /* the connection is lost */ } finally {
        clearTimeout(opening);
      }
      if (!await attempts.wait(response)) throw response ? await refusal(response) : new Unreachable(`No stream at ${path}.`);
    }
  }

  /** Waits for the job that a request has started, if it has. */
  async #settle(response: Response): Promise<Response> {
    if (response.status !== 202) return response;
    let job: JobAnswer = await response.json();
    while (job.state === 'queued' || job.state === 'running') {
      await new Promise((resolve) => { setTimeout(resolve, JOB_PAUSE_MS); });
      const answer = await this.#send(new Request(`${this.url}/v1/jobs/${job.id}`));
      if (!answer.ok) return answer;
      job = await answer.json();
    }
    return outcomeOf(job);
  }

  async #send(request: Request): Promise<Response> {
    for (const [name, value] of Object.entries(this.#identity())) request.headers.set(name, value);
    // Made once, so that a repeated command takes effect once.
    if (!request.headers.has('Idempotency-Key')) request.headers.set('Idempotency-Key', crypto.randomUUID());
    const attempts = new Attempts(this.patienceMs);
    for (;;) {
      let response: Response | undefined;
      try {
        const got = await fetch(request.clone(), { signal: AbortSignal.timeout(TIMEOUT_MS) });
        // Read here, because the connection can break before the last byte.
        response = new Response(got.status === 204 || got.status === 304 ? null : await got.arrayBuffer(), got);
        if (response.ok) return response;
      } catch { /* the request may have arrived or not */ }
      if (!await attempts.wait(response)) {
        if (response) return response;
        throw new Unreachable(`No response from ${request.url}.`);
      }
    }
  }

  #identity(invitation = ''): Record<string, string> {
    return {
      ...this.token && { Authorization: `Bearer ${this.token}` },
      ...invitation && { 'Hoodwink-Invitation': invitation },
    };
  }
}

/** A table as the client's player sees it. */
export class Table {
  readonly #turns = new Turns();
  readonly #params;

  constructor(readonly client: Client, readonly id: string, readonly invitation?: string) {
    this.#params = {
      path: { table_id: id },
      ...invitation && { header: { 'Hoodwink-Invitation': invitation } },
    };
  }

  /** Takes a seat, by default the first free one. As the host you can seat a bot by its policy. */
  async sit(form: { policy?: 'random' | 'steady'; seat?: number } = {}): Promise<AcceptedAnswer> {
    return resultOf(await this.client.api.POST('/v1/tables/{table_id}/seats', { params: this.#params, body: form }));
  }

  /** Starts the table once all seats are taken; only the host can do that. */
  async start(): Promise<AcceptedAnswer> {
    return resultOf(await this.client.api.POST('/v1/tables/{table_id}/start', { params: this.#params, body: {} }));
  }

  /** Returns the current table with your legal actions. */
  async look(): Promise<TableAnswer> {
    const params = { ...this.#params, query: { include: 'legal_actions' as const } };
    return resultOf(await this.client.api.GET('/v1/tables/{table_id}', { params }));
  }

  /** Yields a snapshot, then each change of the table with its view, and finally `end`. */
  async* follow({ after = '', words = false } = {}): AsyncGenerator<TableStreamMessage> {
    const path = `/v1/tables/${this.id}/events?with=view${words ? '&include=words' : ''}`;
    for await (const message of this.client.follow(path, { after, invitation: this.invitation })) {
      yield message;
      if (message.event === 'end') return;
    }
  }

  /** Yields a turn whenever your seat may act, until the table ends. */
  async* turns(): AsyncGenerator<Turn> {
    for await (const message of this.follow()) {
      const turn = this.#turns.turnIn(message);
      if (turn) yield turn;
    }
  }

  /**
   * Takes an action, once even if the request has to be repeated.
   *
   * With `version`, it acts only at this version; the result is `undefined` if the table has changed, and the next turn shows
   * how.
   */
  async act(action: Action, { version, key }: { version?: number; key?: string } = {}): Promise<AcceptedAnswer | undefined> {
    const header = { ...this.#params.header, ...key && { 'Idempotency-Key': key } };
    const answer = await this.client.api.POST('/v1/tables/{table_id}/actions', {
      params: { ...this.#params, header },
      body: version === undefined ? action : { ...action, expected_version: version },
    });
    if (version !== undefined && answer.error?.code === 'version_conflict') {
      this.#turns.acknowledge(answer.error.version!);
      return undefined;
    }
    const accepted = resultOf(answer);
    this.#turns.acknowledge(accepted.version);
    return accepted;
  }

  /** Plays to the end of the table. `choose` may return nothing if the table does not wait for your seat. */
  async play(choose: (turn: Turn) => Action | undefined | Promise<Action | undefined>): Promise<Result> {
    for await (const turn of this.turns()) {
      const action = await choose(turn);
      if (action) await this.act(action, { version: turn.version });
    }
    return (await this.look()).view.result!;
  }
}

function resultOf<T>({ data, error, response }: Answer<T>): T {
  if (!response.ok || data === undefined) throw new Refused(response.status, typeof error === 'object' ? error! : {});
  return data;
}
