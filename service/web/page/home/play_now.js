/** *Play now*: joins somebody who waits for the same game, or opens a table at which bots take the seats that stay free. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Problem } from '../kit/api.js';
import { refusal } from '../kit/opening.js';
import { go } from '../kit/router.js';
import { inline } from '../text/inline.js';

// Loaded when it is needed, which most visitors of the first page never do.
const matching = () => import('./matching.js').catch(() => {
  throw new Problem(0, { detail: 'The service cannot be reached. Is the connection down?' });
});

/** The choice of a game, and the button. `room` is the one in which they are shown. */
export function playNow(room) {
  const { games, going, refused } = room;
  const submit = async (event) => {
    event.preventDefault();
    const chosen = games.find(({ name }) => name === event.target.elements.game.value);
    if (going) return;
    room.set({ going: true, refused: '' });
    try {
      const { joinOrOpen } = await matching();
      go(`/tables/${await joinOrOpen(chosen)}`);
    } catch (problem) {
      room.set({ refused: refusal(problem) });
    }
    room.set({ going: false });
  };
  return html`
    <form class="play-now" @submit=${submit}>
      <select name="game" aria-label="Game">${games.map(({ name, title }) => html`
        <option value=${name}>${title}</option>`)}</select>
      <button class="main" ?disabled=${going}>${going ? 'Looking for players …' : 'Play now'}</button>
      ${refused ? html`<p class="notice failed" role="alert">${inline(refused)}</p>` : nothing}
    </form>`;
}
