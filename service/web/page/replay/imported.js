/** Imported tables: how long they stay, and how their senders delete them. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { titleOf } from '../kit/games.js';
import { go } from '../kit/router.js';
import { session } from '../kit/session.js';
import { count, failure, figure, moment } from '../kit/words.js';
import { confirm } from '../kit/dialog.js';

const KIB = 1024;

/** Deletes an import after confirmation; returns false if the user declines. */
async function remove(id) {
  const isSure = await confirm({
    title: 'Delete this table here?',
    text: 'The link will stop working unless somebody else sent the same file. Your own file and '
      + 'tables continued from it stay.',
    yes: 'Delete it',
    no: 'Keep it',
  });
  if (isSure) {
    await api.del(`/v1/imports/${id}`).catch((problem) => {
      if (problem.status !== 404) throw problem; // deleted already
    });
  }
  return isSure;
}

class Imported extends Room {
  /** @param {{id: string, expires_at: number, is_yours: boolean}} of the import that is shown */
  set of(of) {
    this.guest = of;
    this.update();
  }

  async #delete() {
    this.set({ problem: null });
    try {
      if (await remove(this.guest.id)) go('/replay');
    } catch (problem) {
      this.set({ problem });
    }
  }

  template() {
    const { expires_at: at, is_yours: isYours } = this.guest;
    return html`
      <p class="small">It stays here until ${moment(at)}, and longer if somebody views it again later.
        ${isYours ? html`<button class="small danger" @click=${() => this.#delete()}>Delete …</button>` : nothing}</p>
      ${this.problem ? failure(this.problem, () => this.#delete()) : nothing}`;
  }
}

class MyImports extends Room {
  enter() {
    this.listen(session, 'change', () => this.#load());
    this.#load();
  }

  async #load() {
    if (!session.player) return this.set({ imports: null });
    try {
      const { imports } = await api.get('/v1/me/imports');
      this.set({ imports, problem: null });
    } catch (problem) {
      this.set({ problem });
    }
  }

  async #delete(id) {
    try {
      if (await remove(id)) await this.#load();
    } catch (problem) {
      this.set({ problem });
    }
  }

  template() {
    const { imports, problem } = this;
    if (problem) return failure(problem, () => this.#load());
    if (!imports?.length) return nothing;
    return html`
      <section aria-labelledby="sent">
        <h2 id="sent">Sent by you</h2>
        <p>Anybody with the link can see these tables. Each is deleted when nobody has viewed it for
          some weeks, and after a year in any case.</p>
        <ul class="sent">${imports.map((one) => html`
          <li><a href="/imports/${one.id}">${titleOf(one.game)}</a>, ${count(one.events, 'event')},
            ${figure(Math.ceil(one.size / KIB))} KiB, until ${moment(one.expires_at)}
            <button class="small danger" aria-label="Delete ${titleOf(one.game)}, ${count(one.events, 'event')}"
              @click=${() => this.#delete(one.id)}>Delete …</button></li>`)}</ul>
      </section>`;
  }
}

customElements.define('hw-imported', Imported);
customElements.define('hw-my-imports', MyImports);
