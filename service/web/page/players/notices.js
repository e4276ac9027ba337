/** How this browser calls the player when it is their turn. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { button } from '../kit/form.js';
import { forget, listed, remove, subscribe, subscription } from '../kit/pushes.js';
import { failure, moment } from '../kit/words.js';

/** Browsers reject a subscription without a reason for people. */
const UNREACHED = 'This browser could not reach the service of its maker, so it cannot call you while the page is closed. '
  + 'Try again later.';

class Notices extends Room {
  pushes = [];

  enter() {
    this.refresh();
  }

  async refresh() {
    this.set({ permission: window.Notification?.permission });
    const here = await subscription().catch(() => null);
    const { pushes } = await listed().catch(() => ({ pushes: this.pushes }));
    this.set({ pushes, here: here?.endpoint });
  }

  /** Browsers ask only after a click. */
  async allow() {
    this.set({ isBusy: true, refused: null });
    try {
      if (await Notification.requestPermission() === 'granted' && window.PushManager) await subscribe();
    } catch (problem) {
      this.set({ refused: problem.detail ? problem : { detail: UNREACHED } });
    }
    this.set({ isBusy: false });
    await this.refresh();
  }

  async stop({ id, endpoint }) {
    if (endpoint === this.here) await forget().catch(() => {});
    await remove(id).catch((refused) => this.set({ refused }));
    await this.refresh();
  }

  template() {
    return html`
      <section class="panel" aria-labelledby="notices">
        <h2 id="notices">When it is your turn</h2>
        <p>While the page is open in another tab, its title and a sound call you.</p>
        ${this.means()}
        ${this.refused ? failure(this.refused) : nothing}
        ${this.pushes.length ? html`<h3>Browsers that call you</h3>
          <ul class="plain devices">${this.pushes.map((push) => this.row(push))}</ul>` : nothing}
      </section>`;
  }

  row(push) {
    const name = push.endpoint === this.here ? 'this browser' : 'another browser';
    return html`<li><span>${push.endpoint === this.here ? 'This browser' : 'Another browser'}
      <span class="small">since ${moment(push.created_at)}</span></span>
      ${button(html`Stop<span class="unseen"> calls to ${name}</span>`, { press: () => this.stop(push) })}</li>`;
  }

  means() {
    const say = (text) => html`<p class="small">${text}</p>`;
    if (!window.isSecureContext) return say('Notifications need a secure address, with https. This one has none.');
    if (!window.Notification || !navigator.serviceWorker) {
      return say('This browser has no notifications for pages. On an iPhone or iPad, add the page to the home screen first.');
    }
    if (this.permission === 'denied') return say('Notifications are blocked for this page. You can allow them in the browser’s settings.');
    const isOn = this.permission === 'granted';
    if (isOn && !window.PushManager) return say('Notifications are on. This browser cannot call you while the page is closed.');
    if (isOn && this.pushes.some(({ endpoint }) => endpoint === this.here)) {
      return html`<p role="status">This browser calls you, even while the page is closed.</p>`;
    }
    return html`<p>${window.PushManager ? 'A message says only which table waits; it goes through the service of the browser’s maker.'
      : 'This browser can call you only while the page is open.'}</p>
      <p>${button('Notify me', { isBusy: this.isBusy, press: () => this.allow() })}</p>`;
  }
}

customElements.define('hw-notices', Notices);
