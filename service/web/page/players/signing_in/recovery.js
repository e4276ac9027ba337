/** The recovery code: made, shown once, and printed. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { confirm } from '../../kit/dialog.js';
import { button } from '../../kit/form.js';
import { session } from '../../kit/session.js';
import { qrImage, qrOf } from '../../kit/sharing.js';
import { failure, moment } from '../../kit/words.js';
import { AccountPart, waysToSignIn } from './account.js';
import { reachable } from './reachable.js';

const FOR_PAPER = 'It works once, and is shown only now: print it or write it down.';

class Recovery extends AccountPart {
  async ask() {
    const { recovery_code_made_at: at } = await waysToSignIn();
    return { at, made: null };
  }

  async #make() {
    const isSure = !this.at || await confirm({
      title: 'Make a new recovery code?',
      text: 'The code that you have printed stops working.',
      yes: 'Make a new one',
    });
    if (!isSure) return;
    await this.change(async () => {
      const made = await api.post('/v1/me/recovery-code');
      const url = reachable(made.url);
      return { made: { ...made, url }, qr: await qrOf(url).catch(() => null), at: Date.now() };
    }, FOR_PAPER);
  }

  template() {
    if (this.at === undefined && !this.problem) return nothing;
    return html`
      <section class="panel" aria-labelledby="recovery">
        <h2 id="recovery">Recovery code</h2>
        ${this.made ? this.#paper() : html`
          <p>${this.at ? html`You have a recovery code, made ${moment(this.at)}.`
            : 'If you lose all your devices, a code on paper brings your player back. You have none that works.'}</p>
          ${button(this.at ? 'Make a new one …' : 'Make a recovery code', {
            isBusy: this.isBusy, press: () => this.#make() })}`}
        ${this.problem ? failure(this.problem) : nothing}
      </section>`;
  }

  #paper() {
    return html`
      <div class="paper">
        <p role="status" tabindex="-1">The recovery code of ${session.player.name}. ${this.said}</p>
        <p><code class="secret">${this.made.code}</code></p>
        ${this.qr ? qrImage(this.qr) : nothing}
        <p class="small">To sign in, scan this, or enter the code at ${this.made.url.replace(/#.*/, '')}</p>
      </div>
      <div class="row-of-buttons">
        <button class="main" @click=${() => window.print()}>Print</button>
        <button @click=${() => this.set({ made: null })}>I have kept it</button>
      </div>`;
  }
}

customElements.define('hw-recovery', Recovery);
