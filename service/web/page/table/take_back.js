/** The button that takes back the player's last action, while that is possible. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { serverNow } from '../kit/stream.js';
import { seatOf } from './scene/scene.js';

let timer = null;

/** @param {() => void} redraw called when it is too late */
export function takeBackButton(view, send, redraw) {
  const { seat, until } = view.take_back;
  const left = until - serverNow();
  if (seat !== seatOf(view) || left <= 0) return nothing;
  clearTimeout(timer);
  timer = setTimeout(redraw, left);
  return html`<button class="take-back" aria-label="Take back" @click=${send}>Take back <hw-clock .until=${until}></hw-clock></button>`;
}
