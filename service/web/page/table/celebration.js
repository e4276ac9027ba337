/** Shows a moment of a table with a picture, a line and a sound. */
import { html, render, svg } from '../vendor/lit-html/lit-html.js';
import { play } from '../kit/alerts.js';

const SHOWN_MS = 2200;
const EDGE_PX = 8;

const PICTURES = {
  fire: svg`<path fill="#f28c28" d="M24 2c3 9 14 14 14 27a14 14 0 0 1-28 0c0-7 4-10 5-16 3 2 4 5 4 8 4-5 6-11 5-19z"/>
    <path fill="#ffd166" d="M24 22c2 5 7 7 7 13a7 7 0 0 1-14 0c0-4 3-6 3-9 2 1 3 2 4 4z"/>`,
  sneak: svg`<path fill="#2b2440" d="M2 20c7-6 15-4 22-1 7-3 15-5 22 1-1 10-8 15-14 14-4-1-6-5-8-5s-4 4-8 5C10 35 3 30 2 20z"/>
    <path fill="#fff" d="M9 22q6-4 10 2-6 4-10-2zm30 0q-6-4-10 2 6 4 10-2z"/><circle cx="16" cy="23" r="2"/><circle cx="34" cy="23" r="2"/>`,
  blindsided: svg`<circle cx="24" cy="24" r="19" fill="#f1c27d"/><path fill="#8a2f3a" d="M4 17l40-3v10L4 27zM40 15l7 12-5 1-5-8z"/>
    <path fill="none" stroke="#5a3420" stroke-width="3" stroke-linecap="round" d="M17 36q7-6 14 0"/>`,
  joker: svg`<path fill="#66389a" d="M8 36C3 24 4 16 11 12c2 6 6 8 9 10 0-7 1-13 4-18 3 5 4 11 4 18 3-2 7-4 9-10 7 4 8 12 3 24z"/>
    <path fill="#e3ae48" d="M8 36h32v7H8z"/><g fill="#ffd166"><circle cx="11" cy="11" r="3.5"/><circle cx="24" cy="4" r="3.5"/><circle cx="37" cy="11" r="3.5"/></g>`,
  first: svg`<path fill="#7b5a2e" d="M10 3h4v43h-4z"/><path fill="#17914f" d="M14 5c9-5 14 5 26 0v20c-12 5-17-5-26 0z"/>
    <path fill="#fff" d="M24 11l5-2v14h-4V13h-2z"/>`,
  shithead: svg`<path fill="#7a4a2a" d="M25 4c7 4 4 8 2 10 8 0 9 6 6 9 8 1 8 8 4 10 8 2 7 12-1 12H12c-8 0-9-10-1-12-4-3-3-9 4-10-3-5 1-9 6-10 4-1 5-4 4-9z"/>
    <circle cx="19" cy="31" r="4" fill="#fff"/><circle cx="30" cy="31" r="4" fill="#fff"/><circle cx="20" cy="32" r="1.8"/><circle cx="29" cy="32" r="1.8"/>`,
  caper: svg`<ellipse cx="24" cy="38" rx="22" ry="6" fill="#19213a"/><path fill="#2b355a" d="M11 8q13-6 26 0l-2 30q-11 4-22 0z"/>
    <path fill="#a8325e" d="M12 27q12 4 24 0v6q-12 4-24 0z"/>`,
  cup: svg`<path fill="#e3ae48" d="M12 4h24c0 16-4 25-10 27v6h6v5H16v-5h6v-6C16 29 12 20 12 4z"/>
    <path fill="none" stroke="#e3ae48" stroke-width="4" d="M12 9H5c0 9 4 13 10 14m21-14h7c0 9-4 13-10 14"/>`,
};

/** Where bots play fast, older moments give way, so that none is shown long after its event. */
const MAX_WAITING = 2;

let waiting = [];
let isShowing = false;

/** Shows moments over the board of a room, one after the other. */
export async function celebrate(room, moments) {
  waiting.push(...moments.map((moment) => [room, ...moment]));
  if (isShowing) return;
  isShowing = true;
  while (waiting.length) {
    waiting = waiting.slice(-MAX_WAITING - 1);
    await show(...waiting.shift());
  }
  isShowing = false;
}

function show(room, picture, line) {
  const board = room.isConnected && room.querySelector('.board');
  if (!board || document.hidden) return undefined;
  const shown = document.createElement('div');
  shown.className = 'moment';
  shown.ariaHidden = 'true'; // the live region has told it
  render(html`<svg viewBox="0 0 48 48">${PICTURES[picture]}</svg><p>${line}</p>`, shown);
  board.append(shown);
  // In pixels, because the board may grow. The step of a count is read above its moment.
  const top = board.querySelector('hw-count') ? board.clientHeight - shown.offsetHeight - EDGE_PX : board.clientHeight * 0.24;
  shown.style.insetBlockStart = `${top}px`;
  play(picture);
  return new Promise((done) => { setTimeout(() => { shown.remove(); done(); }, SHOWN_MS); });
}
