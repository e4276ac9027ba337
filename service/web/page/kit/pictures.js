/** Pictures of tables: a still life per game, composed of the cards. The text next to them says the same. */
import { html, svg } from '../vendor/lit-html/lit-html.js';

const SPRITE = new URL('../cards/cards.svg', import.meta.url).href;

const mask = svg`
  <path class="dark" d="M-34-4C-23-15-9-13 0-7 9-13 23-15 34-4 33 9 25 16 14 14 8 13 4 8 0 6-4 8-8 13-14 14-25
    16-33 9-34-4Z"></path>
  <path fill="var(--thing-light)" d="M-24 1Q-15-7-6 2-15 8-24 1ZM24 1Q15-7 6 2 15 8 24 1Z"></path>
  <path fill="none" stroke="var(--thing-dark)" stroke-width="3" d="M-33-2Q-44-6-52 3M33-2Q44-6 52 3"></path>`;

const coconut = svg`
  <circle r="29" fill="#5d3a20"></circle>
  <circle r="29" fill="none" stroke="#7d5330" stroke-width="3" stroke-dasharray="2 5"></circle>
  <circle r="23" fill="#fbf6ea"></circle><ellipse cx="1" cy="2" rx="15" ry="14" fill="#d9cdb4"></ellipse>
  <path d="M-11-2Q-7-11 4-11" fill="none" stroke="#fbf6ea" stroke-width="3"></path>`;

const glasses = svg`
  <path fill="none" stroke="var(--thing-dark)" stroke-width="3.5"
    d="M-7-5Q0-10 7-5M-37-5L-48-14M37-5L48-14"></path>
  <path class="dark" d="M-38-7H-6Q-5 14-22 14-38 12-38-7ZM38-7H6Q5 14 22 14 38 12 38-7Z"></path>
  <path fill="none" stroke="var(--thing-light)" stroke-width="2.5"
    d="M-32 0Q-31-3-27-3M12 0Q13-3 17-3"></path>`;

const hat = svg`
  <path class="dark" d="M-24-38Q0-43 24-38L20 6H-20Z"></path>
  <ellipse class="dark" cy="8" rx="38" ry="9"></ellipse>
  <path fill="#a3272b" d="M-21.500-8Q0-2 21.500-8L20.500 3Q0 9-20.500 3Z"></path>`;

const fire = svg`
  <path fill="#e8622c" d="M2-42C8-24 24-16 22 6 21 20 10 27 0 27-11 27-22 19-22 4-22-8-14-13-13-25-7-20-5-14-5-9
    1-18 4-28 2-42Z"></path>
  <path fill="#ffc94d" d="M1-14C5-5 12 0 11 11 10 20 5 24 0 24-7 24-12 19-11 10-10 4-6 2-5-5-2-3-1 0-1 3 1-2 2-7
    1-14Z"></path>`;

const coin = svg`<circle r="9" fill="#b97d10"></circle><circle r="9" cy="-2.500" fill="#f0c04e"></circle>
  <circle r="5.500" cy="-2.500" fill="none" stroke="#b97d10" stroke-width="1.200"></circle>`;

const THINGS = { mask, coconut, glasses, hat, fire, coin };

/** Cards and things from bottom to top, each with its centre, rotation and size. */
const TABLES = {
  blindside: [
    ['??', 232, 66, -14], ['??', 250, 64, -2], ['??', 268, 67, 9], ['KH', 62, 122, -16], ['9C', 90, 116, -2],
    ['7S', 118, 121, 12], ['??', 165, 82, 3, 1.3], ['mask', 165, 80, 0, .8], ['coin', 220, 140],
    ['coin', 242, 148], ['coin', 230, 130],
  ],
  coconut: [
    ['8C', 112, 62, -21], ['8D', 134, 57, -7], ['8H', 157, 57, 7], ['8S', 179, 62, 21], ['??', 66, 131, -3],
    ['4H', 69, 125, 2], ['??', 124, 131, 2], ['JC', 127, 125, -2], ['??', 182, 131, -1], ['TD', 185, 125, 3],
    ['coconut', 262, 98, 0, 1.2],
  ],
  blind_don: [
    ...[52, 106, 214, 268].map((x, index) => ['??', x - 3, 38, index - 1]),
    ['QD', 55, 32, 1], ['6C', 109, 33, -2], ['TS', 217, 33, 2], ['4D', 271, 32, -1],
    ['9H', 138, 94, -9, 1.15], ['JH', 178, 98, 10, 1.15],
    ...[52, 106, 214, 268].map((x, index) => ['??', x + 3, 152, 1 - index]),
    ['KS', 49, 157, -1], ['5H', 103, 157, 2], ['3C', 211, 157, -2], ['AH', 265, 157, 1],
    ['glasses', 58, 96, -6, .8],
  ],
  double_blind: [
    ['6S', 82, 62, -24], ['QD', 108, 50, -12], ['KC', 136, 45, 0], ['3H', 164, 50, 12], ['AS', 190, 62, 24],
    ['??', 84, 162, -20], ['??', 110, 151, -10], ['??', 137, 147, 0], ['??', 164, 151, 10],
    ['??', 190, 162, 20], ['KH', 262, 58, 14], ['hat', 262, 118, -5, 1.2],
  ],
  shithead: [
    ['4C', 126, 62, -28], ['9D', 150, 66, 14], ['JK', 136, 62, -7, 1.15], ['TS', 172, 66, 9, 1.15],
    ['fire', 228, 62, 4, 1.1], ['??', 72, 143, -2], ['2D', 75, 137, 3], ['??', 128, 146, 1],
    ['AC', 131, 140, -2], ['??', 184, 144, 2], ['6H', 187, 138, 1], ['??', 262, 138, 16],
  ],
};
const ANY_TABLE = [
  ['??', 92, 100, -24], ['QH', 124, 86, -11, 1.1], ['??', 160, 81, 0, 1.2], ['9S', 196, 86, 11, 1.1],
  ['??', 228, 100, 24],
];
const FIRST = [
  ['7C', 61, 122, -25, 1.3], ['QD', 109, 106, -12.5, 1.3], ['??', 160, 100, 0, 1.3],
  ['AS', 211, 106, 12.5, 1.3], ['KH', 259, 122, 25, 1.3], ['mask', 153, 97, -3, 1.1],
];

const piece = ([name, x, y, turn = 0, size = 1]) => svg`
  <g transform="translate(${x} ${y}) rotate(${turn}) scale(${size})">${THINGS[name] ?? svg`
    <rect class="shade" x="-24" y="-33" width="50" height="70" rx="4"></rect>
    <rect class="sheet" x="-25" y="-35" width="50" height="70" rx="3.500"></rect>
    <use href="${SPRITE}#${name === '??' ? 'back' : name}" x="-25" y="-35" width="50" height="70"
      ></use>`}</g>`;

const picture = (pieces, more) => html`<svg class="picture ${more}"
  viewBox="0 0 320 190" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
  ${pieces.map(piece)}</svg>`;

/** A table of the game; of a game without a picture of its own, any table. */
export const tableOf = (game, more = '') => picture(TABLES[game] ?? ANY_TABLE, more);

/** What the first page opens with. */
export const firstPicture = () => picture(FIRST, 'first');
