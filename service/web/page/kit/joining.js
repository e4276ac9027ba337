/** Becoming a player: without an account, at the first table. */
import { api, newKey } from './api.js';
import { PLAYER, session } from './session.js';

let registering = null;

/** Returns the player; registers one if there is none yet, as a guest or by a name. */
export async function join(name) {
  if (session.player) return session.player;
  registering ??= register(name).finally(() => { registering = null; });
  return registering;
}

// One tab registers and the others wait, so that a person does not become two players.
async function register(name) {
  const register = async () => {
    session.reread();
    if (!session.player) session.keep(await api.post('/v1/players', name ? { name } : {}, { key: newKey(), token: '' }));
    return session.player;
  };
  return navigator.locks ? navigator.locks.request(PLAYER, register) : register();
}
