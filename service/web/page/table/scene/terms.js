/** The words of a game, explained where they are read: on hover by a title, and on a click by a dialog. */
import { html } from '../../vendor/lit-html/lit-html.js';
import { MARKS, inline, plain, words } from '../../text/inline.js';
import { capital } from '../../kit/words.js';

const dialog = () => import('../../kit/dialog.js');

/** Per game: a pattern for all terms, and the terms by how a text may write them. */
const known = new WeakMap();

function termsOf({ terms }) {
  if (!known.has(terms)) {
    // The rules explain "To lead", and texts say "lead".
    const named = terms.map((each) => [each.term.replace(/^To /, ''), each]);
    const written = new Map(named.flatMap(([name, each]) => ['', 's'].map((ending) => [(name + ending).toLowerCase(), each])));
    const longestFirst = [...written.keys()].toSorted((one, other) => other.length - one.length);
    known.set(terms, { written, pattern: new RegExp(`\\b(${longestFirst.join('|')})\\b${MARKS}`, 'i') });
  }
  return known.get(terms);
}

/**
 * The text with the first mention of each term explained.
 *
 * @param {{terms: {term: string, meaning: string}[]}} info the game
 * @param {boolean} isHidden whether screen readers do not read the text, so that nothing in it may have the focus
 */
export function withTerms(text, info, isHidden) {
  if (!info.terms.length) return words(text);
  const { written, pattern } = termsOf(info);
  const explained = new Set();
  const pieces = text.split(pattern);
  return pieces.map((piece, index) => {
    if (index % 3 === 2) return ''; // drawn with its term
    const marks = index % 3 ? pieces[index + 1] : '';
    const each = index % 3 ? written.get(piece.toLowerCase()) : null;
    if (!each || explained.has(each)) return words(piece + marks);
    explained.add(each);
    const tell = async () => (await dialog()).show(each.term, html`<p>${inline(capital(each.meaning))}</p>`);
    const term = isHidden ? html`<span class="term" title=${plain(each.meaning)} @click=${tell}>${piece}</span>`
      : html`<button type="button" class="term" title=${plain(each.meaning)} @click=${tell}>${piece}</button>`;
    return marks ? html`<span class="in-text">${term}${marks}</span>` : term;
  });
}
