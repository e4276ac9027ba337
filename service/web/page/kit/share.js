/** `hw-share`: a link with *Copy* and, where the system has it, *Share*, and optionally its QR code. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Room } from './element.js';
import { style } from './router.js';
import { copied, copyFrom, qrImage, qrOf } from './sharing.js';

await style('share').catch(() => {}); // or the QR code would fill the screen for a moment

class Share extends Room {
  #shared = null;

  #qr = null;

  #drawn = '';

  #said = '';

  /** `{id, label, link, explained, invites, hasQr}`: `explained` is shown below, `invites` goes along with *Share*. */
  set shared(shared) {
    if (this.#shared && this.#shared.link !== shared.link) this.#said = '';
    this.#shared = shared;
    this.update();
  }

  template() {
    const { id, label, link, explained, invites, hasQr } = this.#shared;
    return html`
      <div class="field invite">
        <label for="invite-${id}">${label}</label>
        <span class="with-addon">
          <input id="invite-${id}" readonly .value=${link} @focus=${(event) => event.target.select()}>
          <button type="button" @click=${() => this.#copy()}>Copy</button>
          ${navigator.share ? html`<button type="button" @click=${() => share(link, invites)}>Share …</button>` : nothing}
        </span>
        <p class="small" role="status">${this.#said || explained}</p>
        ${hasQr ? this.#qrOf(link) : nothing}
      </div>`;
  }

  #qrOf(link) {
    if (this.#drawn !== link) {
      this.#drawn = link;
      qrOf(link).then((qr) => {
        this.#qr = qr;
        this.update();
      }, () => {});
    }
    return qrImage(this.#qr);
  }

  async #copy() {
    this.#said = copied(await copyFrom(this.querySelector('input')));
    this.update();
  }
}

const share = (url, text) => {
  navigator.share({ title: 'Hoodwink', text, url }).catch(() => {});
};

customElements.define('hw-share', Share);
