/** Reasons, descriptions and announcements: texts that are stored apart from the log, which has only their hashes. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';

const DIGEST = /^sha256:([0-9a-f]{64})$/;

const texts = new Map();

/** How long a reason that could not be read is not asked for again. */
const RETRY_MS = 30_000;

/** The text with a hash; null until it is read, and undefined for other texts. */
export function textOf(room, hash) {
  const [, digest] = DIGEST.exec(hash ?? '') ?? [];
  if (!digest) return undefined;
  if (!texts.has(digest)) read(room, digest);
  return texts.get(digest);
}

/** The reason with a hash, as a sentence of its own; nothing for other texts, which are in the words already. */
export function reasonOf(room, reason) {
  const text = textOf(room, reason);
  return text ? html` <q>${text}</q>` : nothing;
}

async function read(room, digest) {
  texts.set(digest, null);
  const found = await api.get(`/v1/reasons/${digest}`).catch(({ status }) => ({ reason: status === 404
    ? 'This text was erased.' : '' }));
  texts.set(digest, found.reason);
  // Drawing asks for what is missing, so an immediate retry would never end.
  if (!found.reason) setTimeout(() => texts.delete(digest), RETRY_MS);
  room.update();
}
