/** The link to a table, and a form for those who have only its invitation code. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { Room } from '../../kit/element.js';
import { commandForm } from '../../kit/form.js';
import { sitDown } from '../../kit/opening.js';
import { session } from '../../kit/session.js';
import '../../kit/share.js';
import { keepCode } from '../../kit/sharing.js';
import { failure } from '../../kit/words.js';
import { AtTable } from '../at_table.js';

/** A link to a table. The code follows `#`, a part of the address that browsers send to nobody. */
export const linkTo = (table, code) => (
  `${location.origin}/tables/${table}${code ? `#invitation=${code}` : ''}`);

/** `hw-invite`: the link with *Copy* and, where the system has it, *Share*; before the start, with a QR code. */
class Invite extends AtTable {
  #code = null;

  #asked = '';

  get #needsCode() {
    return this.table.private || this.table.watch !== 'everyone';
  }

  // The code never changes, so it is asked for once. Guests have brought it with them.
  async #fetch() {
    const { id, host, seats } = this.table;
    const me = session.player?.id;
    const key = `${id} ${me}`;
    if (this.#asked === key) return;
    this.#asked = key;
    this.#code = session.invitation(id);
    const belongs = me && (me === host || seats.some((seat) => me === seat.player || me === seat.offered_to));
    if (!this.#code && belongs) {
      const answer = await api.get(`/v1/tables/${id}/invitation`).catch(() => { this.#asked = ''; });
      this.#code = answer?.invitation ?? null;
    }
    this.update();
  }

  template() {
    const { phase, watch } = this.table;
    // A guest may sit down where nobody may watch, but later nobody else comes in.
    if (phase !== 'open' && watch === 'nobody') return nothing;
    if (this.#needsCode) this.#fetch();
    if (this.#needsCode && !this.#code) return nothing;
    const link = linkTo(this.table.id, this.#needsCode ? this.#code : '');
    const purpose = phase === 'open' ? 'Link for friends' : 'Link to watch';
    return html`<hw-share .shared=${{
      id: this.table.id,
      label: purpose,
      link,
      explained: this.#explained(),
      invites: 'Come and play cards with me.',
      hasQr: phase === 'open',
    }}></hw-share>`;
  }

  #explained() {
    if (!this.#needsCode) return 'Anybody can join, with this link or from the lobby.';
    if (this.table.phase !== 'open') return 'Only those who have this link can watch.';
    return this.table.private
      ? 'Only those who have this link can sit down. Give it to your friends and to nobody else.'
      : 'The lobby does not list this table; those who have the link find it.';
  }
}

customElements.define('hw-invite', Invite);

/**
 * `hw-uninvited` with the attribute `table`: what somebody can do who may not see a table, or not sit there.
 *
 * It sends the event `invited` when things may have changed: there is a code now, or the player has a seat.
 */
class Uninvited extends Room {
  #fault = '';

  #refusal = null;

  get #id() {
    return this.getAttribute('table');
  }

  template() {
    const code = session.invitation(this.#id);
    return html`
      <section class="panel uninvited" aria-labelledby="uninvited">
        <h2 id="uninvited">This table is private</h2>
        <p>You need its invitation to ${this.getAttribute('to') ?? 'come in'}. Ask the person who opened it
          for the link, and open that in this browser. If you were told only the code, enter it here.</p>
        ${commandForm({
          line: { id: 'code', name: 'code', label: 'Invitation code', required: true },
          label: 'Use the code',
          below: html`<p class="small" role="status">${this.#fault}</p>`,
          send: (values) => this.#enter(values.code),
        })}
        ${code && !this.hasAttribute('to') ? html`
          <p>You have a code for this table. If the table still does not appear, the code is wrong, or only
            its players may see it.</p>
          <button class="main" @click=${() => this.#sit()}>Sit down</button>
          ${this.#refusal ? failure(this.#refusal) : nothing}` : nothing}
      </section>`;
  }

  async #sit() {
    this.#refusal = null;
    try {
      await sitDown(this.#id);
      this.#tell();
    } catch (problem) {
      this.#refusal = problem;
    }
    this.update();
  }

  #enter(text) {
    const isKept = keepCode(this.#id, text);
    this.#fault = isKept ? 'The code is kept in this browser.' : 'A code has only letters, digits and hyphens.';
    if (isKept) this.#tell();
    this.update();
  }

  #tell() {
    this.dispatchEvent(new CustomEvent('invited', { bubbles: true }));
  }
}

customElements.define('hw-uninvited', Uninvited);
