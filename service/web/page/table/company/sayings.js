/** What players say to each other: the dialog in which one chooses it, and the bubbles in which the others see it. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { show } from '../../kit/dialog.js';
import { gameInfo } from '../../kit/games.js';
import { notify, play } from '../../kit/alerts.js';
import { refusal } from '../../kit/opening.js';
import { session } from '../../kit/session.js';
import { serverNow } from '../../kit/stream.js';
import { nameAt, yourSeat } from '../scene/names.js';

const SHOWN_MS = 5000;
const NUDGE = 'nudge';
const NUDGE_AFTER_MS = 20_000;
const MAX_MUTED = 100;

/** Nobody may convey cards by what they say, or when, where it would count. */
const isQuiet = ({ rated, tournament, phase, stage }) => (rated || tournament) && phase === 'playing' && stage !== 'to_deal';

const isMuted = (player) => session.preferences.muted === 'all' || Boolean(session.preferences.muted?.includes(player));

function mute(player, isOn) {
  const others = [session.preferences.muted ?? []].flat().filter((each) => each !== 'all' && each !== player);
  session.prefer({ muted: [...others, ...(isOn ? [player] : [])].slice(-MAX_MUTED) });
}

/** Opens the dialog with the phrases of the game. */
export async function chooseSaying({ id, message: { view } }) {
  const { sayings } = await gameInfo(view.game);
  const others = view.seats.filter(({ player, policy, seat }) => player && !policy && seat !== yourSeat(view));
  const late = others.filter(({ owes_since: since }) => since !== null && serverNow() - since >= NUDGE_AFTER_MS);
  const say = async (body) => {
    try {
      await api.post(`/v1/tables/${id}/sayings`, body);
      dialog.close();
    } catch (problem) {
      dialog.querySelector('.failed').textContent = refusal(problem);
    }
  };
  const button = (body, text) => html`<button type="button" @click=${() => say(body)}>${text}</button>`;
  const dialog = show('Say something', html`
    ${isQuiet(view) ? html`<p>The result counts here, so players say nothing during a round. Wait until it is over.</p>` : html`
      <div class="sayings">${sayings.map(({ id: saying, text }) => button({ saying }, text))}</div>
      ${late.length ? html`<div class="sayings">${late.map(({ seat }) => button({ saying: NUDGE, to: seat }, `Nudge ${nameAt(view, seat)} ⏰`))}</div>` : nothing}`}
    <p class="failed" role="alert"></p>
    <fieldset><legend>Mute, in this browser</legend>
      ${others.map(({ seat, player }) => html`<label class="choice"><input type="checkbox" .checked=${isMuted(player)}
        @change=${({ target }) => mute(player, target.checked)}> ${nameAt(view, seat)}</label>`)}
      <label class="choice"><input type="checkbox" .checked=${session.preferences.muted === 'all'}
        @change=${({ target }) => session.prefer({ muted: target.checked ? 'all' : [] })}> Everybody, at all tables</label>
    </fieldset>`);
}

/** Shows what a player has said, unless the viewer has muted them. */
export async function hear(room, { seat, saying, to }) {
  const { view } = room.message;
  if (isMuted(view.seats[seat].player) && seat !== yourSeat(view)) return;
  const { sayings } = await gameInfo(view.game);
  const text = saying === NUDGE ? `${nameAt(view, to)}, it is your turn! ⏰` : sayings.find(({ id }) => id === saying)?.text;
  if (!text) return; // a newer service knows more
  room.set({ bubbles: { ...room.bubbles, [seat]: text }, spoken: `${nameAt(view, seat)} says: ${text}` });
  setTimeout(() => {
    if (room.bubbles[seat] === text) room.set({ bubbles: { ...room.bubbles, [seat]: undefined } });
  }, SHOWN_MS);
  const isForViewer = to !== null && to === yourSeat(view);
  play(saying === NUDGE ? NUDGE : 'saying', { isForHidden: isForViewer });
  if (isForViewer) remind(`${nameAt(view, seat)} nudges you`, room.id);
}

// In the title, and outside the page if the player has allowed that.
function remind(text, table) {
  const { title } = document;
  document.title = `⏰ ${text}`;
  setTimeout(() => { if (document.title === `⏰ ${text}`) document.title = title; }, SHOWN_MS * 4);
  if (document.hidden) notify(text, { url: `/tables/${table}`, renotify: true }).catch(() => {});
}
