/** Markdown within a line: code, bold, italics and links, as templates and never as markup from a string. */
import { html } from '../vendor/lit-html/lit-html.js';

const SPRITE = new URL('../cards/cards.svg', import.meta.url).href;
const INLINE = /`([^`]+)`|\*\*(.+?)\*\*(?!\*)|\*([^*\s](?:[^*]*[^*\s])?)\*|\[([^\]]+)\]\(([^()\s]+)\)/g;
const SUITS = { '♣': ['C', 'clubs'], '♦': ['D', 'diamonds'], '♥': ['H', 'hearts'], '♠': ['S', 'spades'] };
const SAFE_LINK = /^(https?:\/\/|\/(?!\/)|#)/;

// Fonts draw suits in their own ways or not at all, so they are pictures, with names for those who listen.
function words(text) {
  return text.split(/((?:10|[2-9JQKA])?[♣♦♥♠])/).map((piece, index) => {
    if (index % 2 === 0) return piece;
    const [suit, name] = SUITS[piece.at(-1)];
    return html`<span class="in-text">${piece.slice(0, -1)}<svg class="suit" viewBox="0 0 24 24" aria-hidden="true"
      ><use href="${SPRITE}#suit-${suit}"></use></svg><span class="unseen"> of ${name}</span></span>`;
  });
}

/** Code, bold, italics and links in a line; pieces of text and templates. */
export function inline(text) {
  const pieces = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, bold, italic, label, link] = found;
    if (found.index > end) pieces.push(words(text.slice(end, found.index)));
    if (code) pieces.push(html`<code>${code}</code>`);
    else if (bold) pieces.push(html`<strong>${inline(bold)}</strong>`);
    else if (italic) pieces.push(html`<em>${inline(italic)}</em>`);
    else if (SAFE_LINK.test(link)) pieces.push(html`<a href=${link}>${inline(label)}</a>`);
    else pieces.push(inline(label));
    end = found.index + whole.length;
  }
  pieces.push(words(text.slice(end)));
  return pieces;
}

/** The text without its marks, for labels and titles. */
export const plain = (text) => text.replace(INLINE, (_, code, bold, italic, label) => (
  code ?? plain(bold ?? italic ?? label)));
