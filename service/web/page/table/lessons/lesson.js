/** `hw-lesson`: explains the present moment of a table to somebody who plays for the first time. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { gameInfo } from '../../kit/games.js';
import { setQuery } from '../../kit/router.js';
import { AtTable } from '../at_table.js';

const WRITTEN = {
  blindside: () => import('./blindside.js'),
  blind_don: () => import('./blind_don.js'),
  coconut: () => import('./coconut.js'),
  double_blind: () => import('./double_blind.js'),
  shithead: () => import('./shithead.js'),
};

/**
 * Returns the lessons of a game, or those that suit every game.
 * @returns {Promise<(table: object, legal: object|null, events: object[]) => import('./moment.js').Lesson>}
 */
export async function lessonOf(game) {
  if (Object.hasOwn(WRITTEN, game)) return (await WRITTEN[game]()).lessons;
  const [{ lessons }, info] = await Promise.all([import('./generic.js'), gameInfo(game).catch(() => null)]);
  return (table, legal, events) => lessons(table, legal, events, info);
}

class LessonCard extends AtTable {
  #legal = null;

  #events = [];

  #game = '';

  #lessons = null;

  #isClosed = false;

  set legal(legal) {
    this.#legal = legal;
    this.update();
  }

  set events(events) {
    this.#events = events;
    this.update();
  }

  enter() {
    for (const name of ['legal', 'events']) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    super.enter();
  }

  async #load() {
    this.#game = this.table.game;
    try {
      this.#lessons = await lessonOf(this.#game);
      this.update();
    } catch {
      this.#game = ''; // the next drawing asks again
    }
  }

  template() {
    if (this.#isClosed) return nothing;
    if (this.#game !== this.table.game) this.#load();
    const lesson = this.#lessons?.(this.table, this.#legal, this.#events);
    return html`
      <section class="panel lesson" aria-label="Lesson">
        <div role="status" aria-atomic="true">${lesson ? drawn(lesson) : html`<p>One moment …</p>`}</div>
        ${this.table.phase === 'ended' ? nothing : html`
          <button class="plain" @click=${() => this.#close()}>End the lesson and play on</button>`}
      </section>`;
  }

  #close() {
    this.#isClosed = true;
    setQuery({ learn: null });
    this.update();
  }
}

const drawn = ({ title, text, hint }) => html`
  <h2>${title}</h2>
  ${text.split('\n').filter(Boolean).map((paragraph) => html`<p>${paragraph}</p>`)}
  ${hint ? html`<p class="hint"><b>Hint:</b> ${hint}</p>` : nothing}`;

customElements.define('hw-lesson', LessonCard);
