/** `/me`: the player who uses this browser, and their preferences. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { live } from '../vendor/lit-html/directives/live.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { commandForm, field } from '../kit/form.js';
import { join, rename } from '../kit/joining.js';
import { session } from '../kit/session.js';
import { MAX_NAME_LENGTH, failure, setTitle, tidyName } from '../kit/words.js';
import './blocking.js';
import './bots.js';
import './leaving.js';
import './signing_in/moving.js';
import './notices.js';
import './signing_in/passkeys.js';
import './signing_in/recovery.js';
import './signing_in/sessions.js';
import './signing_in/token.js';

const THEMES = [[undefined, 'As on this device'], ['light', 'Light'], ['dark', 'Dark']];
const SWITCHES = [
  ['deck', 'four', 'Four colours of suits', 'Clubs and diamonds get colours of their own.'],
  ['motion', 'less', 'Less motion', 'Cards move without animation.'],
  ['confirm', 'moves', 'Confirm moves', 'A card that you pick is played when you press its button. Other buttons are pressed twice.'],
  ['sound', 'off', 'No sounds', 'Tables are silent.'],
  ['muted', 'all', 'Mute everybody', 'You neither see nor hear what other players say, and nobody can nudge you.'],
];

class Me extends Room {
  said = '';

  /** On a phone, all parts together would be a long way to scroll. */
  #isWide = matchMedia('(min-width: 44.01rem)').matches;

  enter() {
    setTitle('Settings');
    this.listen(session, 'change', () => this.update());
    // From the parts of this room, which may be removed by what they report.
    this.listen(this, 'said', ({ detail }) => this.tell(detail));
    this.refresh();
  }

  /** The name may have been changed on another device. */
  async refresh() {
    const { player } = session;
    if (!player) return;
    const { name } = await api.get('/v1/players/me').catch(() => player);
    if (session.player?.token === player.token && name !== player.name) session.keep({ ...player, name });
  }

  tell(said) {
    this.set({ said });
    queueMicrotask(() => this.querySelector('.said').focus());
  }

  async rename(text, form) {
    this.set({ isNaming: true, refused: null });
    try {
      await (session.player ? rename(text) : join(tidyName(text)));
      this.tell(`Your name is ${session.player.name} now.`);
    } catch (refused) {
      this.set({ refused });
      form.elements.name.focus();
    }
    this.set({ isNaming: false });
  }

  template() {
    const { player } = session;
    return html`
      <section class="page players settings">
        <h1>${player ? player.name : 'Settings'}</h1>
        <p class="said" role="status" tabindex="-1">${this.said}</p>
        ${player ? html`<p><a href="/me/tables">My tables</a> ·
          <a href="/players/${player.id}">What others see of me</a> ·
          <a href="/players/${player.id}/statement">My statement</a></p>` : nothing}
        <div class="columns">
          <div>${this.name()}${this.fold('How the page looks and plays', this.looks())}${player ? html`
            ${this.fold('Notifications and other players', html`<hw-notices></hw-notices><hw-blocked></hw-blocked>`)}
            ${this.fold('Bots', html`<hw-bots></hw-bots>`)}` : nothing}</div>
          <div>${player ? html`
            ${this.fold('Devices and signing in', html`<hw-moving></hw-moving><hw-sessions></hw-sessions>
              <hw-recovery></hw-recovery><hw-passkeys></hw-passkeys><hw-token></hw-token>`)}
            ${this.fold('Sign out or leave', html`<hw-leaving></hw-leaving>`)}`
            : html`<hw-token></hw-token>`}</div>
        </div>
      </section>`;
  }

  fold(title, content) {
    return html`<details class="fold" ?open=${this.#isWide}><summary>${title}</summary>${content}</details>`;
  }

  name() {
    const { player } = session;
    return html`
      <section class="panel" aria-labelledby="naming">
        <h2 id="naming">Your name</h2>
        ${player ? nothing : html`<p>You have no player yet: one is made for you when you first sit down,
          without a password or an address. You can choose a name for it now.</p>`}
        ${commandForm({
          content: html`${field({
            id: 'name',
            name: 'name',
            label: 'Name',
            required: true,
            maxlength: MAX_NAME_LENGTH,
            autocomplete: 'nickname',
            initial: player?.name ?? '',
            isFaulty: Boolean(this.refused),
            help: `1 to ${MAX_NAME_LENGTH} characters, letters of one script. Others may have the same name${
              player ? '. Your new name also appears at finished tables' : ''}.`,
          })}${this.refused ? failure(this.refused) : nothing}`,
          label: player ? 'Change the name' : 'Take this name',
          look: 'main',
          isBusy: this.isNaming,
          send: ({ name }, form) => this.rename(name, form),
        })}
      </section>`;
  }

  looks() {
    const wishes = session.preferences;
    return html`
      <section class="panel" aria-label="How the page looks and plays">
        <p class="small">Kept in this browser.</p>
        <fieldset>
          <legend>Colours</legend>
          ${THEMES.map(([theme, name]) => html`<label class="choice"><input type="radio" name="theme"
            value=${theme ?? ''} .checked=${live(wishes.theme === theme)}
            @change=${() => session.prefer({ theme })}> ${name}</label>`)}
        </fieldset>
        ${SWITCHES.map(([wish, value, label, help]) => field({
          id: wish,
          label,
          help,
          kind: 'check',
          value: wishes[wish] === value,
          change: (isOn) => session.prefer({ [wish]: isOn ? value : undefined }),
        }))}
      </section>`;
  }
}

customElements.define('hw-me', Me);
