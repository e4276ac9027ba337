/**
 * The HTTP API: requests that are safe to repeat, and refusals as `Problem`.
 *
 * Every command has an idempotency key and is repeated under it when no answer arrives, so that a lost answer neither
 * loses the command nor makes it take effect twice.
 */
import { session } from './session.js';

const PAUSES_MS = [300, 800, 2000, 4000, 8000];
const LONGEST_WAIT_MS = 10_000;
const LOST = new Set([0, 500, 502, 503, 504]);

/** A refusal by the service, or `status` 0 where it did not answer. `code` is stable; `detail` is for people. */
export class Problem extends Error {
  constructor(status, body, headers) {
    super(body.detail || body.title || 'The service did not answer.');
    this.status = status;
    this.code = body.code || 'no_answer';
    this.detail = this.message;
    this.faults = body.faults || [];
    this.body = body;
    this.requestId = headers?.get('X-Request-Id') || '';
    this.retryAfter = Number(headers?.get('Retry-After')) || 0;
  }
}

/** Returns 32 random hex digits: a key for one command. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the address with its query; empty values are left out. */
export function address(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}

/** The headers with the player's token and the invitation to a table or tournament. */
export function identity(path, { token = session.player?.token, invitation } = {}) {
  const id = /^\/v1\/(?:tables|tournaments)\/(\w+)/.exec(path)?.[1];
  const code = invitation ?? (id && session.invitation(id));
  return { ...(token && { Authorization: `Bearer ${token}` }), ...(code && { 'Hoodwink-Invitation': code }) };
}

/** Waits, but no longer than until the browser is back online. */
export const pause = (ms) => new Promise((resolve) => {
  const end = () => { window.removeEventListener('online', end); resolve(); };
  setTimeout(end, ms);
  window.addEventListener('online', end);
});

/** Returns the refusal in a response, and signs out if the token is bad. */
export async function refused(response, headers) {
  const problem = new Problem(response.status, await response.json().catch(() => ({})), response.headers);
  // A request without a token, such as one just after signing out, does not mean that the token is bad.
  if (problem.status === 401 && headers.Authorization) session.forget(headers.Authorization.slice(7));
  return problem;
}

async function once(method, path, headers, body, as) {
  let response;
  try {
    response = await fetch(path, { method, headers, body, cache: 'no-store' });
    if (response.ok) return response.status === 204 ? null : await response[as]();
  } catch {
    throw new Problem(0, { detail: 'The service cannot be reached. Is the connection down?' });
  }
  throw await refused(response, headers);
}

async function request(method, path, { query, headers = {}, body, key, as = 'json', ...who } = {}) {
  const sent = { Accept: as === 'text' ? '*/*' : 'application/json', ...identity(path, who), ...headers };
  if (method !== 'GET') sent['Idempotency-Key'] = key || newKey();
  let text;
  if (typeof body === 'string') text = body;
  else if (method !== 'GET' && method !== 'DELETE') {
    sent['Content-Type'] = 'application/json';
    text = JSON.stringify(body ?? {});
  }
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await once(method, address(path, query), sent, text, as);
    } catch (problem) {
      const wait = problem.retryAfter * 1000 || PAUSES_MS[attempt];
      const again = LOST.has(problem.status) || (problem.status === 429 && problem.retryAfter);
      if (!again || attempt >= PAUSES_MS.length || wait > LONGEST_WAIT_MS) throw problem;
      await pause(wait);
    }
  }
}

export const api = {
  get: (path, options) => request('GET', path, options),
  post: (path, body, options) => request('POST', path, { ...options, body }),
  put: (path, options) => request('PUT', path, options),
  patch: (path, body, options) => request('PATCH', path, { ...options, body }),
  del: (path, options) => request('DELETE', path, options),
};
