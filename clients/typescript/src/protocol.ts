/** Errors, retries and the format of live streams. */
import type { JobAnswer, ProblemDocument } from './api.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
// The service sends a heartbeat every 30 seconds, so a silent stream is dead.
const SILENCE_MS = 45_000;

/** The service rejected a request, which has changed nothing. `code` is the reason, `message` a text for people. */
export class Refused extends Error {
  override name = 'Refused';
  readonly code: string;

  constructor(readonly status: number, readonly problem: Partial<ProblemDocument> = {}) {
    const faults = problem.faults?.map(({ name, detail }) => `${name}: ${detail}`).join(' ');
    super(faults || (problem.detail ?? `The service answered ${status}.`));
    this.code = problem.code ?? '';
  }
}

/** There was no response. A command may have taken effect; repeat it with the same key to find out. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/** Returns the error for a response; `problem` is empty if it is not from Hoodwink, but from a proxy, for instance. */
export async function refusal(response: Response): Promise<Refused> {
  return new Refused(response.status, await response.clone().json().catch(() => ({})));
}

/** Returns the response that a request would have got without the job that it started. */
export function outcomeOf({ problem, result, location }: JobAnswer): Response {
  if (problem) return Response.json(problem, { status: (problem as ProblemDocument).status });
  const headers = location ? { Location: location } : undefined;
  return typeof result === 'string' ? new Response(result, { headers }) : Response.json(result, { headers });
}

/** Decides how long to wait before a request is repeated, and when to give up. */
export class Attempts {
  #pause = FIRST_PAUSE_MS;
  #deadline: number | undefined;

  constructor(private readonly patienceMs: number) {
    this.#deadline = performance.now() + patienceMs;
  }

  succeed(): void {
    this.#pause = FIRST_PAUSE_MS;
    // Set at the next failure: a stream may be quiet for long before it breaks.
    this.#deadline = undefined;
  }

  /** Waits before the next attempt; returns false if another attempt would not help. */
  async wait(response?: Response): Promise<boolean> {
    if (response && response.status < 500 && response.status !== 429) return false;
    const after = Number(response?.headers.get('Retry-After') ?? 0) * 1000;
    // Random, so that clients do not all return in the same moment after a restart.
    const pause = Math.max(this.#pause * (0.75 + Math.random() / 2), after || 0);
    const now = performance.now();
    this.#deadline ??= now + this.patienceMs;
    if (now + pause > this.#deadline) return false;
    this.#pause = Math.min(2 * this.#pause, MAX_PAUSE_MS);
    await new Promise((resolve) => { setTimeout(resolve, pause); });
    return true;
  }
}

export type Message = { event: string; id?: string; data: any };

/** Yields each server-sent event, and `undefined` for one without data, such as a heartbeat. */
export async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message | undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const silence = setTimeout(() => { reader.cancel().catch(() => {}); }, SILENCE_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2)));
        const id = 'id' in fields ? { id: fields.id } : {};
        yield fields.data ? { event: fields.event ?? 'message', ...id, data: JSON.parse(fields.data) } : undefined;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
