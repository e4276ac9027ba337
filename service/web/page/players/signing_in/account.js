/** Parts of the room `me`. Each shows something of the account, and changes it by requests that return the new data. */
import { api } from '../../kit/api.js';
import { Room } from '../../kit/element.js';
import { session } from '../../kit/session.js';

const asked = new Map();

/** The player's ways to sign in; parts that ask for the same player at the same time share one request. */
export function waysToSignIn() {
  const { id } = session.player;
  if (!asked.has(id)) asked.set(id, api.get('/v1/me/sign-in').finally(() => asked.delete(id)));
  return asked.get(id);
}

export class AccountPart extends Room {
  enter() {
    this.listen(session, 'change', () => this.load());
    this.load();
  }

  /** Loads what the part shows; a busy part does so when it is done. */
  load() {
    this.isOutdated = this.isBusy;
    return session.player && this.change(() => this.ask());
  }

  /** Sets the fields that a request returns; if it succeeds, the element's status shows `said`. */
  async change(ask, said = '') {
    if (this.isBusy) return;
    const asking = session.player?.id;
    this.set({ isBusy: true, problem: null });
    const found = await ask().then((fields) => ({ ...fields, said }), (problem) => ({ problem }));
    // Another player may have signed in meanwhile.
    this.set({ isBusy: false, ...session.player?.id === asking ? found : {} });
    if (this.isOutdated) await this.load();
    else if (said && !this.problem) queueMicrotask(() => this.querySelector('[role=status]')?.focus());
  }
}
