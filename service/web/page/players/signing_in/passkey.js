/** Passkeys in this browser: whether it can use them here, making one, and signing in with one. */
import { api, Problem } from '../../kit/api.js';

const asProblem = (detail) => new Problem(0, { detail });

/** Why passkeys cannot be used on this page, or an empty text. */
export function obstacle() {
  if (!window.isSecureContext) return 'Passkeys need a page that came over https. The link and the recovery code work here, too.';
  if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) return 'This browser has no passkeys. The link and the recovery code work here, too.';
  return '';
}

async function ask(path, parse, call) {
  const { origin, public_key: options } = await api.post(path);
  if (location.origin !== origin) throw asProblem(`Passkeys work only at ${origin}. Open that address and try again.`);
  try {
    return await call(parse.call(PublicKeyCredential, options));
  } catch (error) {
    // This is how browsers name a device that has one of the passkeys which the options exclude.
    if (error.name === 'InvalidStateError') throw asProblem('This device already has a passkey of this player.');
    throw asProblem('The device made no passkey available. Try again, or sign in in another way.');
  }
}

/** Makes a passkey for the player, and returns how they can sign in now. */
export async function makePasskey() {
  const made = await ask('/v1/me/passkeys/options', PublicKeyCredential.parseCreationOptionsFromJSON,
    (publicKey) => navigator.credentials.create({ publicKey }));
  return api.post('/v1/me/passkeys', { credential: made.toJSON() });
}

/** Returns the player whom a passkey signs in, with a token. */
export async function signInWithPasskey() {
  const found = await ask('/v1/sign-ins/options', PublicKeyCredential.parseRequestOptionsFromJSON,
    (publicKey) => navigator.credentials.get({ publicKey }));
  return api.post('/v1/sign-ins/passkey', { credential: found.toJSON() });
}
