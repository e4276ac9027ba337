/** The player on other devices: the token shown, copied, replaced, and typed in. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { confirm } from '../../kit/dialog.js';
import { Room } from '../../kit/element.js';
import { commandForm, field } from '../../kit/form.js';
import { session } from '../../kit/session.js';
import { failure } from '../../kit/words.js';

class Token extends Room {
  enter() {
    this.listen(session, 'change', () => this.update());
  }

  tell(detail) {
    this.dispatchEvent(new CustomEvent('said', { bubbles: true, detail }));
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(session.player.token);
      this.set({ copied: 'Copied.' });
    } catch { // a page that came over plain http from another machine may not write there
      getSelection().selectAllChildren(this.querySelector('.secret'));
      this.set({ copied: 'The token is selected; copy it with your keyboard or menu.' });
    }
  }

  async replace() {
    const isSure = await confirm({
      title: 'Replace the token?',
      text: `You get a new token, and the old one stops working wherever you have typed it in. Do this if somebody else
        may have seen your token.`,
      yes: 'Replace it',
      no: 'No, go back',
    });
    if (!isSure) return;
    this.set({ problem: null });
    try {
      session.keep(await api.post('/v1/players/me/token'));
      this.set({ isShown: false });
      this.tell('You have a new token. The old one no longer works.');
    } catch (problem) {
      this.set({ problem });
    }
  }

  async signIn(token, form) {
    this.set({ isTrying: true, refused: null });
    try {
      const { id, name } = await api.get('/v1/players/me', { token });
      form.reset();
      session.keep({ id, name, token });
      this.set({ isShown: false });
      this.tell(`You are signed in as ${name}.`);
    } catch (refused) {
      this.set({ refused });
      form.elements.token.focus();
    }
    this.set({ isTrying: false });
  }

  template() {
    const { player } = session;
    return html`
      ${player ? this.kept() : nothing}
      <section class="panel" aria-labelledby="signing-in">
        <h2 id="signing-in">Sign in</h2>
        ${player ? html`<details><summary>As another player</summary>
          <p>This signs ${player.name} out in this browser. Keep the token of ${player.name} first, or nobody
            can be that player again.</p>${this.signingIn()}</details>` : this.signingIn()}
      </section>`;
  }

  kept() {
    return html`
      <section class="panel" aria-labelledby="elsewhere">
        <h2 id="elsewhere">Play with a program</h2>
        <p>Your player has no password. Each device keeps a <em>token</em> instead. With this one, programs can play as you
          until you sign out here.</p>
        ${this.isShown ? html`
          <p class="notice">Anybody who has the token can play as you. Keep it where you keep passwords, and
            do not share it.</p>
          <p><code class="secret">${session.player.token}</code></p>
          <div class="row-of-buttons">
            <button @click=${() => this.copy()}>Copy the token</button>
            <button @click=${() => this.set({ isShown: false, copied: '' })}>Hide it</button>
          </div>` : html`
          <div class="row-of-buttons">
            <button @click=${() => this.set({ isShown: true })}>Show the token</button>
            <button @click=${() => this.replace()}>Replace the token …</button>
          </div>`}
        <p class="small" role="status">${this.copied ?? ''}</p>
        ${this.problem ? failure(this.problem) : nothing}
      </section>`;
  }

  signingIn() {
    return html`<p><a href="/signin">With a link, a recovery code or a passkey</a>, or with a token:</p>${commandForm({
      content: html`${field({
        id: 'token',
        name: 'token',
        label: 'Token',
        kind: 'password',
        required: true,
        isFaulty: Boolean(this.refused),
        help: html`It begins with <code>hw_</code>. Your other device shows it on this page.`,
      })}${this.refused ? failure(this.refused) : nothing}`,
      label: 'Sign in',
      isBusy: this.isTrying,
      send: ({ token }, form) => this.signIn(token.trim(), form),
    })}`;
  }
}

customElements.define('hw-token', Token);
