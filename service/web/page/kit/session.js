/**
 * The player who uses this browser, their invitations, and their preferences.
 *
 * All of it is in `localStorage`, so that it survives a reload and tabs agree. Without it (some private windows), it
 * lasts as long as the page.
 */
export const PLAYER = 'hoodwink.player';
const PREFERENCES = 'hoodwink.preferences';
const INVITATION = 'hoodwink.invitation.';

/** Reads and writes `localStorage`, or a copy in memory where the browser refuses it. */
export const storage = (() => {
  const memory = new Map();
  const attempt = (stored, otherwise) => {
    try {
      return stored(window.localStorage);
    } catch {
      return otherwise();
    }
  };
  return {
    read: (key) => attempt((kept) => kept.getItem(key), () => memory.get(key) ?? null),
    write: (key, value) => attempt((kept) => kept.setItem(key, value), () => memory.set(key, value)),
    remove: (key) => attempt((kept) => kept.removeItem(key), () => memory.delete(key)),
    keys: () => attempt((kept) => Object.keys(kept), () => [...memory.keys()]),
  };
})();

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

class Session extends EventTarget {
  #player = parsed(storage.read(PLAYER));

  constructor() {
    super();
    window.addEventListener('storage', ({ key }) => {
      if (![PLAYER, PREFERENCES, null].includes(key)) return; // null: all was removed
      this.reread();
      this.#changed();
    });
  }

  /** `{id, name, token}`, or null before the first table. */
  get player() {
    return this.#player;
  }

  /** Reads the player again, whom another tab may have changed. */
  reread() {
    this.#player = parsed(storage.read(PLAYER));
  }

  /** Signs in as a player whose token is known. */
  keep(player) {
    this.#player = player;
    storage.write(PLAYER, JSON.stringify(player));
    this.#changed();
  }

  /** Signs out; with a token, only if it is still the one in use. */
  forget(token) {
    this.reread(); // another tab may just have replaced the token
    if (!this.#player || (token && token !== this.#player.token)) return;
    this.#player = null;
    storage.remove(PLAYER);
    this.#changed();
  }

  /** The invitation code kept for a table or tournament, if any. */
  invitation(id) {
    return storage.read(INVITATION + id);
  }

  keepInvitation(id, code) {
    storage.write(INVITATION + id, code);
  }

  /**
   * `{theme: 'light'|'dark'|undefined, deck: 'four'|undefined, motion: 'less'|undefined, confirm: 'moves'|undefined,
   *   sound: 'off'|undefined, muted: 'all'|string[]|undefined}`
   */
  get preferences() {
    return parsed(storage.read(PREFERENCES)) ?? {};
  }

  prefer(changes) {
    storage.write(PREFERENCES, JSON.stringify({ ...this.preferences, ...changes }));
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}

export const session = new Session();
