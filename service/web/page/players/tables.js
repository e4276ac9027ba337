/** Tables of figures, which scroll by themselves where they are too wide. */
import { html } from '../vendor/lit-html/lit-html.js';

/**
 * @param {string} caption read aloud, not shown: there is a heading above it
 * @param {[name: unknown, look?: string][]} heads the columns, with the class of each
 * @param {unknown} rows
 * @param {string} look `flow`: on a narrow screen each row becomes a short paragraph
 */
export const tabular = (caption, heads, rows, look = '') => html`
  <div class="scroll" tabindex="0" role="region" aria-label=${caption}><table class=${look}>
    <caption class="unseen">${caption}</caption>
    <thead><tr>${heads.map(([name, kind = '']) => html`
      <th scope="col" class=${kind}>${name}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table></div>`;
