/** Markdown within a line: code, bold, italics and links, as templates and never as markup from a string. */
import { html } from '../vendor/lit-html/lit-html.js';

const SPRITE = new URL('../cards/cards.svg', import.meta.url).href;
const INLINE = /`([^`]+)`|\*\*(.+?)\*\*(?!\*)|\*([^*\s](?:[^*]*[^*\s])?)\*|\[([^\]]+)\]\(([^()\s]+)\)/g;
const SUITS = { '♣': ['C', 'clubs'], '♦': ['D', 'diamonds'], '♥': ['H', 'hearts'], '♠': ['S', 'spades'] };
const SYMBOLS = { C: '♣', D: '♦', H: '♥', S: '♠' };
const SAFE_LINK = /^(https?:\/\/|\/(?!\/)|#)/;

/** What belongs to the word before it: browsers would break the line between a picture or a button and a full stop. */
export const MARKS = '([.,;:!?)’]*)';
const CARD = new RegExp(`((?:10|[2-9JQKA])?[♣♦♥♠])${MARKS}`);

// Fonts draw suits in their own ways or not at all, so they are pictures, with names for those who listen.
export function words(text) {
  const pieces = text.split(CARD);
  return pieces.map((piece, index) => {
    if (index % 3 === 0) return piece.replace(/(?<=[\w)]|^)'/g, '’');
    if (index % 3 === 2) return ''; // drawn with its card
    const [suit, name] = SUITS[piece.at(-1)];
    return html`<span class="in-text">${piece.slice(0, -1)}<svg class="suit" viewBox="0 0 24 24" aria-hidden="true"
      ><use href="${SPRITE}#suit-${suit}"></use></svg><span class="unseen"> of ${name}</span>${pieces[index + 1]}</span>`;
  });
}

const ownLink = (link, label) => (SAFE_LINK.test(link) ? html`<a href=${link}>${label}</a>` : label);

/**
 * Code, bold, italics and links in a line; pieces of text and templates. `drawn` draws the text between them, and `anchor`
 * the links.
 */
export function inline(text, drawn = words, anchor = ownLink) {
  const within = (part) => inline(part, words, anchor);
  const pieces = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, bold, italic, label, link] = found;
    if (found.index > end) pieces.push(drawn(text.slice(end, found.index)));
    if (code) pieces.push(html`<code>${code}</code>`);
    else if (bold) pieces.push(html`<strong>${within(bold)}</strong>`);
    else if (italic) pieces.push(html`<em>${within(italic)}</em>`);
    else pieces.push(anchor(link, within(label)));
    end = found.index + whole.length;
  }
  pieces.push(drawn(text.slice(end)));
  return pieces;
}

/** A sentence of the service, which names cards as logs do (`TH`, `JK`), with their symbols. */
export const withCards = (sentence) => words(sentence.replace(/\b([2-9TJQKA])([CDHS])\b/g, (_, rank, suit) => (
  `${rank === 'T' ? '10' : rank}${SYMBOLS[suit]}`)).replace(/\bJK\b/g, 'Joker'));

/** The text without its marks, for labels and titles. */
export const plain = (text) => text.replace(INLINE, (_, code, bold, italic, label) => (
  code ?? plain(bold ?? italic ?? label)));
