/** Becoming a player: without an account, at the first table. */
import { api, newKey } from './api.js';
import { PLAYER, session, storage } from './session.js';
import { tidyName } from './words.js';

const ASKED = 'hoodwink.named';

let registering = null;

/** Returns the player; registers one if there is none yet, as a guest or by a name. */
export async function join(name) {
  if (session.player) return session.player;
  registering ??= register(name).finally(() => { registering = null; });
  return registering;
}

/** Returns the player, who is asked once for a name before they first meet people. */
export async function meet() {
  const player = await join();
  const isNamed = player.name !== `Guest ${player.id.slice(0, 4)}`;
  if (isNamed || storage.read(ASKED) === player.id) return player;
  storage.write(ASKED, player.id);
  const { chooseName } = await import('./naming.js');
  await chooseName(player.name, rename);
  return session.player;
}

/** Gives the player another name. */
export async function rename(text) {
  const { id } = session.player;
  const { name } = await api.patch('/v1/players/me', { name: tidyName(text) });
  if (session.player?.id === id) session.keep({ ...session.player, name });
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
