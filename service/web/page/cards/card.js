/** Pictures of cards and of suits. They are silent: the button or list item around them has the name. */

import { html } from '../vendor/lit-html/lit-html.js';
import { isHidden } from './faces.js';

// Next to this module, under any name of the folder that it is served from.
const SPRITE = new URL('cards.svg', import.meta.url).href;

/**
 * One card; `null` is an empty place. Of a hidden card the document gets the back and nothing else.
 * @param {string | null} face
 */
export function card(face) {
  const symbol = face === null ? 'empty' : isHidden(face) ? 'back' : face;
  return html`<svg class=${face === null ? 'card vacant' : 'card'} viewBox="0 0 100 140" aria-hidden="true"
    ><use href=${`${SPRITE}#${symbol}`}></use></svg>`;
}

/**
 * A suit alone, as high as the text around it.
 * @param {string} suit one of `C`, `D`, `H`, `S`
 */
export function suitMark(suit) {
  return html`<svg class="suit" viewBox="0 0 24 24" aria-hidden="true"
    ><use href=${`${SPRITE}#suit-${suit}`}></use></svg>`;
}
