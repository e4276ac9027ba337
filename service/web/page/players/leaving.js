/** Signing out of this browser, and leaving for good. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { confirm } from '../kit/dialog.js';
import { Room } from '../kit/element.js';
import { field } from '../kit/form.js';
import { session, storage } from '../kit/session.js';
import { failure } from '../kit/words.js';

const INVITATION = 'hoodwink.invitation.';

/** Invitations belong to a player: the next player in this browser must not have them. */
function forgetInvitations() {
  for (const key of storage.keys()) if (key.startsWith(INVITATION)) storage.remove(key);
}

class Leaving extends Room {
  enter() {
    this.room = this.closest('hw-me');
  }

  /** Tells the room directly: another request may sign the player out first, which removes this element. */
  tell(detail) {
    this.room.dispatchEvent(new CustomEvent('said', { detail }));
  }

  async signOut() {
    const { name, token } = session.player;
    const isSure = await confirm({
      title: `Sign ${name} out?`,
      text: html`Have you printed a recovery code, made a passkey, or signed in on another device? If you sign out with
        none of them, ${name} is lost: there is no password and no address to recover it. The token of this browser ends, too.`,
      yes: 'I have one, or do not need it: sign out',
      no: 'No, go back',
    });
    if (!isSure) return;
    this.tell(`${name} is signed out in this browser.`);
    forgetInvitations();
    session.forget();
    // Without a connection, the browser forgets the player anyway.
    api.del('/v1/players/me/token', { token }).catch(() => {});
  }

  async askToErase() {
    const isSure = await confirm({
      title: `Erase ${session.player.name} for good?`,
      text: 'Nobody can undo this. You resign all games that you are in.',
      fields: field({
        id: 'word',
        label: 'Type “erase” to confirm',
        required: true,
        title: 'The word erase',
        pattern: '\\s*[eE]rase\\s*',
      }),
      yes: 'Erase me',
      no: 'No, go back',
    });
    if (isSure) await this.erase();
  }

  async erase() {
    this.set({ problem: null, isErasing: true });
    try {
      await api.post('/v1/players/me/erase', { confirm: true });
      this.tell('You have left. Everybody now sees “someone who left” instead of your name.');
      forgetInvitations();
      session.forget();
    } catch (problem) {
      this.set({ problem });
    }
    this.set({ isErasing: false });
  }

  template() {
    return html`
      <section class="panel" aria-labelledby="leaving">
        <h2 id="leaving">Leave</h2>
        <p>Signing out leaves your seats and results as they are. Without a recovery code, a passkey or another
          device, nobody can sign in as this player again, not even you.</p>
        <button @click=${() => this.signOut()}>Sign out …</button>
        <p>Erasing yourself removes your name from all tables. You resign your games, leave tables that have not
          started, and withdraw from tournaments. Finished tables remain, without your name.</p>
        <button class="danger" aria-disabled=${Boolean(this.isErasing)}
          @click=${() => !this.isErasing && this.askToErase()}>Erase myself …</button>
        ${this.problem ? failure(this.problem, () => this.erase()) : nothing}
      </section>`;
  }
}

customElements.define('hw-leaving', Leaving);
