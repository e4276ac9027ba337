/** Blocked players: a button on another player's page, and the list in the settings. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { session } from '../kit/session.js';
import { failure } from '../kit/words.js';
import { AccountPart } from './signing_in/account.js';

const BLOCKS = '/v1/players/me/blocks';

/** Blocks a player, so that they can no longer offer a seat to the one who uses this browser. */
export const block = (player) => api.put(`${BLOCKS}/${player}`);
const unblock = (player) => api.del(`${BLOCKS}/${player}`);

/** What both elements share: the list, and a change of it. */
class Blocking extends AccountPart {
  load() {
    const blocker = session.player?.id;
    // The list is private, and another player may have signed in.
    if (blocker !== this.blocker) this.set({ blocker, blocked: null, problem: null, said: '' });
    return super.load();
  }

  ask() {
    return api.get(BLOCKS);
  }
}

/** `<hw-block player="…" name="…">` on the page of another player. */
class Block extends Blocking {
  template() {
    const [player, name] = [this.getAttribute('player'), this.getAttribute('name')];
    if (!this.blocked) return this.problem ? failure(this.problem, () => this.load()) : nothing;
    const isBlocked = this.blocked.some(({ id }) => id === player);
    const [ask, said] = isBlocked ? [unblock, `${name} can offer you seats again.`]
      : [block, `${name} can no longer offer you a seat.`];
    return html`
      <p role="status" tabindex="-1">${this.said || (isBlocked ? 'You have blocked this player.' : '')}</p>
      <p><button aria-disabled=${Boolean(this.isBusy)} @click=${() => this.change(() => ask(player), said)}>
        ${isBlocked ? 'Unblock' : 'Block'} ${name}</button>
        ${isBlocked ? nothing : html`<span class="small">Blocked players cannot offer you seats. They are not
          notified.</span>`}</p>
      ${this.problem ? failure(this.problem) : nothing}`;
  }
}

/** The list in the settings. */
class Blocked extends Blocking {
  template() {
    if (!this.blocked) return this.problem ? failure(this.problem, () => this.load()) : nothing;
    return html`
      <section class="panel" aria-labelledby="blocked">
        <h2 id="blocked">Blocked players</h2>
        <p class="small">They cannot offer you seats. Nobody else sees this list.</p>
        <p role="status" tabindex="-1">${this.said}</p>
        ${this.blocked.length ? html`<ul class="plain">${this.blocked.map(({ id, name }) => html`
          <li><a href="/players/${id}">${name}</a>
            <button aria-label="Unblock ${name}" aria-disabled=${Boolean(this.isBusy)}
              @click=${() => this.change(() => unblock(id), `${name} is no longer blocked.`)}>
              Unblock</button></li>`)}</ul>`
          : html`<p>You have not blocked anybody. You can block a player on the player’s page, or where a seat is kept for
              you in <a href="/me/tables">your tables</a>.</p>`}
        ${this.problem ? failure(this.problem) : nothing}
      </section>`;
  }
}

customElements.define('hw-block', Block);
customElements.define('hw-blocked', Blocked);
