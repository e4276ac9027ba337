/** A link and a QR code with which the player signs in on another device. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { Room } from '../../kit/element.js';
import { button } from '../../kit/form.js';
import { session } from '../../kit/session.js';
import { copied, copyFrom, qrImage, qrOf } from '../../kit/sharing.js';
import { failure, moment } from '../../kit/words.js';
import { reachable } from './reachable.js';

class Moving extends Room {
  enter() {
    this.listen(session, 'change', () => this.#hide());
    this.whenLeaving(() => clearTimeout(this.timer));
  }

  #hide() {
    clearTimeout(this.timer);
    this.set({ link: null, said: '' });
  }

  async #make() {
    const id = session.player?.id;
    this.set({ isBusy: true, problem: null });
    try {
      const made = await api.post('/v1/me/sign-in-links');
      const url = reachable(made.url);
      const qr = await qrOf(url).catch(() => null);
      if (id !== session.player?.id) return; // the link signs in the former player
      this.set({ link: { ...made, url }, qr });
      this.timer = setTimeout(() => this.#hide(), made.expires_at - Date.now());
      queueMicrotask(() => this.querySelector('input')?.focus());
    } catch (problem) {
      this.set({ problem });
    } finally {
      this.set({ isBusy: false });
    }
  }

  template() {
    return html`
      <section class="panel" aria-labelledby="moving">
        <h2 id="moving">Use this player on another device</h2>
        ${this.link ? this.#shown() : html`<p>You get a link and a QR code. They work once, for ten minutes.</p>
          ${button('Add a device', { look: 'main', isBusy: this.isBusy, press: () => this.#make() })}`}
        ${this.problem ? failure(this.problem) : nothing}
      </section>`;
  }

  #shown() {
    return html`
      <p>Scan the code with the other device, or open the link there, before ${moment(this.link.expires_at)}.</p>
      <div class="moving">
        ${this.qr ? qrImage(this.qr) : nothing}
        <div class="field">
          <label for="sign-in-link">Link</label>
          <span class="with-addon"><input id="sign-in-link" readonly .value=${this.link.url}
            @focus=${({ target }) => target.select()}>
            <button @click=${async () => this.set({ said: copied(await copyFrom(this.querySelector('input'))) })}>
              Copy</button></span>
          <p class="small" role="status">${this.said}</p>
          <p class="small">Show it to nobody else: it lets anybody play as you.</p>
          <button @click=${() => this.#hide()}>Hide it</button>
        </div>
      </div>`;
  }
}

customElements.define('hw-moving', Moving);
