/** The programs that play as bots of the player who uses this browser. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { confirm } from '../kit/dialog.js';
import { Room } from '../kit/element.js';
import { commandForm, field } from '../kit/form.js';
import { session } from '../kit/session.js';
import { failure, tidyName } from '../kit/words.js';

const BOTS = '/v1/me/bots';
const MAX_LENGTH = 36;

class OwnBots extends Room {
  bots = [];

  enter() {
    this.owner = null;
    this.listen(session, 'change', () => this.load());
    this.load();
  }

  /** A bot has no bots of its own. The token of a new bot must not stay on the screen for the next player. */
  async load() {
    const { player } = session;
    if (player?.id !== this.owner) this.set({ owner: player?.id, bots: null, made: null, problem: null });
    if (!player) return;
    try {
      const { bot } = await api.get(`/v1/players/${player.id}`);
      const { bots } = bot ? { bots: null } : await api.get(BOTS);
      if (player.id === this.owner) this.set({ bots });
    } catch (problem) {
      this.set({ problem });
    }
  }

  async register(text, form) {
    this.set({ isBusy: true, refused: null, made: null });
    try {
      const made = await api.post(BOTS, { name: tidyName(text) });
      form.reset();
      this.set({ made });
      await this.load();
      this.querySelector('.made').focus();
    } catch (refused) {
      this.set({ refused });
      form.elements.bot.focus();
    }
    this.set({ isBusy: false });
  }

  async erase({ id, name }) {
    const isSure = await confirm({
      title: `Erase ${name} for good?`,
      text: 'Nobody can undo this. The bot resigns all games that it is in, and its token stops working.',
      yes: `Erase ${name}`,
      no: 'No, go back',
    });
    if (!isSure) return;
    this.set({ problem: null });
    try {
      await api.del(`${BOTS}/${id}`);
      if (this.made?.id === id) this.set({ made: null });
      await this.load();
      this.querySelector('h2').focus();
    } catch (problem) {
      this.set({ problem });
    }
  }

  template() {
    const { bots, problem, refused } = this;
    if (!bots) return problem ? failure(problem, () => this.load()) : nothing;
    return html`
      <section class="panel" aria-labelledby="bots">
        <h2 id="bots" tabindex="-1">Your bots</h2>
        <p class="small">A bot is a program that plays under a name of its own, rated among the bots.
          A table is not rated if you or another of your bots sits there, too.</p>
        ${bots.length ? html`<ul class="plain">${bots.map((bot) => html`
          <li><a href="/players/${bot.id}">${bot.name}</a> ${bot.online ? '(online)' : nothing}
            <button aria-label="Erase ${bot.name}" @click=${() => this.erase(bot)}>Erase …</button></li>`)}</ul>` : nothing}
        ${this.made ? this.token(this.made) : nothing}
        ${commandForm({
          content: html`${field({
            id: 'bot',
            name: 'bot',
            label: 'A new bot',
            required: true,
            maxlength: MAX_LENGTH,
            isFaulty: Boolean(refused),
            help: html`Its name, which is shown after <em>BOT</em>. The program connects with the bot’s token.`,
          })}${refused ? failure(refused) : nothing}`,
          label: 'Register the bot',
          isBusy: this.isBusy,
          send: ({ bot }, form) => this.register(bot, form),
        })}
        ${problem ? failure(problem) : nothing}
      </section>`;
  }

  token({ name, token }) {
    return html`<div class="made" tabindex="-1">
      <p class="notice">This is the token of ${name}. It is shown only now: keep it where your program finds it.
        Anybody who has it can play as the bot.</p>
      <p><code class="secret">${token}</code></p>
      <p class="small">In a file <code>bot.token</code>, it connects a bot in Python:
        <code>hoodwink bot ./bot.py --server ${location.origin} --token-file bot.token</code></p></div>`;
  }
}

customElements.define('hw-bots', OwnBots);
