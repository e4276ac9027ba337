/** The devices that are signed in as the player: a list in which each can be named and ended. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { confirm } from '../../kit/dialog.js';
import { commandForm } from '../../kit/form.js';
import { failure, tidyName } from '../../kit/words.js';
import { AccountPart } from './account.js';

const SESSIONS = '/v1/me/sessions';
const MAX_DEVICE_NAME = 40;
const HOW = {
  registration: 'Signed up here',
  link: 'Signed in by a link',
  recovery_code: 'Signed in with the recovery code',
  passkey: 'Signed in with a passkey',
};

/** A day such as '2026-11-28' in words. */
const dayInWords = (day) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  .format(new Date(`${day}T00:00Z`));

class Sessions extends AccountPart {
  ask() {
    return api.get(SESSIONS);
  }

  #rename(number, device) {
    const name = tidyName(device);
    return this.change(async () => ({ ...await api.patch(`${SESSIONS}/${number}`, { device: name }), named: 0 }),
      `This device is called ${name} now.`);
  }

  async #end({ session: number, device }) {
    const isSure = await confirm({
      title: `Sign out ${device || 'this device'}?`,
      text: 'It can no longer play as you. Games that are open there stop immediately.',
      yes: 'Sign it out',
    });
    if (isSure) await this.change(() => api.del(`${SESSIONS}/${number}`), `${device || 'The device'} is signed out.`);
  }

  async #endOthers() {
    const isSure = await confirm({
      title: 'Sign out all other devices?',
      text: 'Only this one stays signed in.',
      yes: 'Sign them out',
    });
    if (isSure) await this.change(() => api.del(SESSIONS), 'All other devices are signed out.');
  }

  template() {
    if (!this.sessions) return this.problem ? failure(this.problem, () => this.load()) : nothing;
    return html`
      <section class="panel" aria-labelledby="devices">
        <h2 id="devices">Your devices</h2>
        <p class="said" role="status" tabindex="-1">${this.said}</p>
        <ul class="plain devices">${this.sessions.map((each) => this.#row(each))}</ul>
        ${this.sessions.length > 1 ? html`<button @click=${() => this.#endOthers()}>Sign out all others …</button>`
          : nothing}
        ${this.problem ? failure(this.problem) : nothing}
      </section>`;
  }

  #row(each) {
    const device = each.device || 'A device';
    if (this.named === each.session) {
      return html`<li>${commandForm({
        line: {
          id: 'device', name: 'device', label: `New name of ${device}`, required: true,
          maxlength: MAX_DEVICE_NAME, initial: each.device,
        },
        label: 'Rename',
        isBusy: this.isBusy,
        send: (values) => this.#rename(each.session, values.device),
      })}</li>`;
    }
    return html`<li>
      <span><b>${device}</b>${each.current ? html` <span class="tag">this one</span>` : nothing}<br>
        <span class="small">${HOW[each.how]}. Last used: ${dayInWords(each.last_used)}.</span></span>
      <span class="row-of-buttons">
        <button aria-label="Rename ${device}" @click=${() => this.set({ named: each.session })}>Rename</button>
        ${each.current ? nothing : html`<button aria-label="Sign out ${device}"
          @click=${() => this.#end(each)}>Sign out …</button>`}
      </span></li>`;
  }
}

customElements.define('hw-sessions', Sessions);
