/** *Hint*: what the best bot would do, at unrated tables against bots alone. */
import { html } from '../vendor/lit-html/lit-html.js';
import { settle } from '../kit/jobs.js';
import { api } from '../kit/api.js';
import { gameInfo } from '../kit/games.js';
import { withCards } from '../text/inline.js';
import { spelled } from './scene/speech.js';
import { AtTable } from './at_table.js';

class Hint extends AtTable {
  words = 'Thinking …';

  #version = 0;

  async #ask() {
    const { version } = this.table;
    this.#version = version;
    try {
      const [{ words }, { policies }] = await Promise.all([settle(api.get(`${this.path}/hint`)), gameInfo(this.table.game)]);
      // Where bots cannot think ahead, Expert is not listed, and plays like Steady.
      const level = policies.some(({ name }) => name === 'expert') ? 'Expert' : 'Steady';
      this.#show(version, `${level} would ${words}.`);
    } catch (problem) {
      // If the table has moved on, its next view asks again.
      if (problem.code !== 'version_conflict') this.#show(version, problem.detail ?? 'The hint did not arrive.');
    }
  }

  #show(version, words) {
    if (version === this.#version) this.set({ words });
  }

  template() {
    if (this.table.version !== this.#version) this.#ask();
    return html`<span aria-hidden="true">${withCards(this.words)}</span>
      <span class="unseen" role="status">${spelled(this.words)}</span>`;
  }
}

customElements.define('hw-hint', Hint);
