/** The line between the table and the player's own cards: what may be done now, or what the table waits for. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { repeat } from '../vendor/lit-html/directives/repeat.js';
import { facesInWords } from '../cards/words.js';
import { later, withStyles } from './later.js';
import { list } from '../kit/words.js';
import { nameAt } from './scene/names.js';
import { describe, seatOf } from './scene/scene.js';

const OFFENCES = () => withStyles(import('./offences.js'));

/** With more buttons, those that name a seat show only its name. */
const MAX_SENTENCES = 2;

/** The words of a button: its verb, and the picked cards or the player it names. */
export function labelOf({ verb, cards, target }, view) {
  if (target !== null) return `${verb} ${nameAt(view, target)}`;
  const words = cards.length ? facesInWords(cards) : '';
  return typeof verb === 'function' ? verb(words) : `${verb} ${words}`.trim();
}

const isNaming = ({ label }) => label.target !== null;

function buttonsOf(buttons, isShort, view, send, unconfirmed) {
  const first = buttons.find(isNaming);
  return buttons.map((button) => {
    const { label, body } = button;
    const words = `${JSON.stringify(body) === unconfirmed ? 'Confirm: ' : ''}${labelOf(label, view)}`;
    return html`${isShort && button === first ? html`<span>${label.verb}</span>` : nothing}
      <button class="main" aria-label=${words} @click=${() => send(body)}>${
  isShort && isNaming(button) ? nameAt(view, label.target).replace(/.seat (\d+)./, '$1') : words}</button>`;
  });
}

/** What the player may do now, in a sentence; empty if nothing. */
export function invitation(view, choices, info) {
  if (!choices?.hasAny) return '';
  const game = describe(view.game);
  const types = [...choices.actions, ...choices.choices].map(({ type }) => type);
  const urgent = types.map((type) => game.urgent?.[type]).find(Boolean);
  if (urgent && !view.seats[choices.seat].owes) return urgent;
  const meanings = info?.actions.filter(({ type }) => types.includes(type)).map(({ meaning }) => meaning) ?? [];
  return game.prompts?.[view.view.step] ?? (choices.purposes.length ? choices.purposes : meanings).join(' ');
}

/** What the table waits for, in a sentence. */
function waitingFor(view) {
  const { waiting } = view;
  if (!waiting) return 'One moment …';
  const names = list((waiting.seats ?? []).map((seat) => (seat === seatOf(view) ? 'you' : nameAt(view, seat))));
  return {
    players: `Waiting for ${names}.`,
    bot: `${names} is thinking.`,
    seeds: 'Before the deal, the players’ seeds are revealed.',
    entrants: 'Waiting for the entrants to appear.',
    round_pause: 'The round is over. The next one will be dealt in a moment.',
    interrupts: 'For a moment, the others may act out of turn.',
  }[waiting.for] ?? `Waiting${names ? ` for ${names}` : ''}.`;
}

// A turn has its clock at the seat, and bots need none; a chance to act out of turn passes by itself.
const isTimed = ({ waiting }, invited) => waiting?.until && waiting.for !== 'bot' && (!invited || waiting.for === 'interrupts');

/** Whether the table waits until the player is ready; players who said so are no longer listed. */
export const isAwaited = ({ waiting, ...view }) => (
  ['round_pause', 'entrants'].includes(waiting?.for) && waiting.seats.includes(seatOf(view)));

/** @param {{view, choices, info, explain, sending, refusal, reason, unconfirmed, send, ready, more, redraw}} now */
export function promptOf({ view, choices, info, explain, sending, refusal, reason, unconfirmed, send, ready, more, redraw }) {
  const invited = invitation(view, choices, info);
  const mine = seatOf(view) !== null && view.seats[seatOf(view)].owes;
  const text = sending ? 'Playing …' : invited || waitingFor(view);
  // A new element for each sentence, because a centred text would jump when it changes.
  const sentence = () => html`<p>${mine && invited ? html`<strong>Your turn.</strong> ` : nothing}${explain(text)}
    ${isTimed(view, invited) ? html`<hw-clock .until=${view.waiting.until}></hw-clock>` : nothing}</p>`;
  const buttons = sending || !choices ? [] : choices.buttons;
  const isShort = buttons.filter(isNaming).length > MAX_SENTENCES;
  // Many buttons lie over the sentence and what is above it, in an element of their own, so that nothing moves for them.
  return html`
    <div class="prompt ${invited && !sending ? 'invited' : ''}" tabindex="-1">
      ${repeat([`${mine} ${text}`], String, sentence)}
      ${repeat([buttons.length > MAX_SENTENCES ? 'many' : ''], String, (many) => html`<div class="below ${many}">
        <div class="buttons ${isShort ? 'named' : ''}">
          ${buttonsOf(buttons, isShort, view, send, unconfirmed)}
          ${isAwaited(view) ? html`<button @click=${ready}>I am ready</button>` : nothing}
          ${sending ? nothing : more}
          ${choices?.offences.length ? later(OFFENCES, redraw)?.offences(view, choices, send) : nothing}
        </div>
        <p class="reason" role="status">${reason || (refusal ? refused(refusal) : '')}</p>
      </div>`)}
    </div>`;
}

const refused = ({ code, detail }) => (
  code === 'version_conflict' ? 'The table has changed, so nothing was played. Choose again.' : detail);
