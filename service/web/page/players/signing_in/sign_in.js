/** `/signin`: signs in with a link, whose code follows `#`, or with a code that is typed in. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { Room } from '../../kit/element.js';
import { button, commandForm, field } from '../../kit/form.js';
import { session } from '../../kit/session.js';
import { failure, setTitle } from '../../kit/words.js';
import { obstacle, signInWithPasskey } from './passkey.js';

class SignIn extends Room {
  #code = '';

  enter() {
    setTitle('Sign in');
    this.listen(session, 'change', () => this.update());
    this.listen(window, 'popstate', () => this.#take()); // another link, pasted into the same tab
    this.#take();
  }

  #take() {
    this.#code = location.hash.slice(1) || this.#code;
    // Neither the history nor a screenshot needs the code.
    if (location.hash) history.replaceState(history.state, '', location.pathname);
    this.update();
  }

  async #signIn(ask) {
    if (this.isBusy) return;
    this.set({ isBusy: true, problem: null });
    try {
      session.keep(await ask());
      this.set({ isDone: true });
    } catch (problem) {
      if (problem.status === 403) this.#code = ''; // the link is used up, but there are other ways
      this.set({ problem });
    }
    this.set({ isBusy: false });
  }

  #redeem(code) {
    return this.#signIn(() => api.post('/v1/sign-ins', { code }));
  }

  template() {
    const { player } = session;
    return html`
      <section class="page players settings">
        <h1>Sign in</h1>
        ${this.isDone ? html`<p class="said" role="status">You are signed in as ${player?.name}.
          <a href="/">Play</a> · <a href="/me">Your devices</a></p>` : html`
        <section class="panel">
          ${player ? html`<p>This browser plays as ${player.name}. Signing in replaces that player here, so make
            sure that ${player.name} is signed in somewhere else, too.</p>` : nothing}
          ${this.#form()}
          ${this.#code ? nothing : this.#withPasskey()}
          ${this.problem ? failure(this.problem) : nothing}
        </section>`}
      </section>`;
  }

  #withPasskey() {
    const why = obstacle();
    return why ? html`<p class="small">${why}</p>` : html`<p>${button('Sign in with a passkey', {
      isBusy: this.isBusy, press: () => this.#signIn(signInWithPasskey) })}</p>`;
  }

  // Only a click redeems the link: programs that open links to look at them press no buttons.
  #form() {
    const [code, isBusy] = [this.#code, this.isBusy];
    if (code) {
      return commandForm({
        content: html`<p>You opened a link that signs you in on this device. It works once.</p>`,
        label: 'Sign in here', look: 'main', isBusy, send: () => this.#redeem(code),
      });
    }
    return commandForm({
      content: field({
        id: 'code', name: 'code', label: 'Code', required: true, maxlength: 200,
        help: 'The recovery code that you have printed, or a link that another device of yours shows.',
      }),
      label: 'Sign in here', look: 'main', isBusy,
      // People paste the whole link as well.
      send: (values) => this.#redeem(values.code.trim().replace(/^.*#/, '')),
    });
  }
}

customElements.define('hw-sign-in', SignIn);
