/** The player's passkeys: a list, and a button that makes one where the browser can. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { confirm } from '../../kit/dialog.js';
import { button } from '../../kit/form.js';
import { failure, moment } from '../../kit/words.js';
import { AccountPart, waysToSignIn } from './account.js';
import { makePasskey, obstacle } from './passkey.js';

class Passkeys extends AccountPart {
  ask() {
    return waysToSignIn();
  }

  async #remove({ passkey, device }) {
    const isSure = await confirm({
      title: 'Remove this passkey?',
      text: `Nobody can sign in any more with the passkey made with ${device}.`,
      yes: 'Remove it',
    });
    if (isSure) await this.change(() => api.del(`/v1/me/passkeys/${passkey}`), 'The passkey is removed.');
  }

  template() {
    if (!this.passkeys) return this.problem ? failure(this.problem, () => this.load()) : nothing;
    const why = obstacle();
    return html`
      <section class="panel" aria-labelledby="passkeys">
        <h2 id="passkeys">Passkeys</h2>
        <p class="small">Your phone, computer or password manager keeps a passkey and unlocks it with a finger, your face or a
          PIN.</p>
        <p class="said" role="status" tabindex="-1">${this.said}</p>
        <ul class="plain devices">${this.passkeys.map((each) => html`<li>
          <span><b>${each.device}</b><br><span class="small">Made ${moment(each.made_at)}</span></span>
          <button aria-label="Remove the passkey made with ${each.device}" @click=${() => this.#remove(each)}>
            Remove …</button></li>`)}</ul>
        ${why ? html`<p>${why}</p>` : button('Make a passkey', {
    isBusy: this.isBusy, press: () => this.change(makePasskey, 'You can sign in with the new passkey now.') })}
        ${this.problem ? failure(this.problem) : nothing}
      </section>`;
  }
}

customElements.define('hw-passkeys', Passkeys);
