/** Numbers as these rooms show them, and tables of them. */
import { html, svg } from '../vendor/lit-html/lit-html.js';
import { figure } from '../kit/words.js';

/** 25.966 → '26.0', with a real minus */
export const decimal = (number, digits = 1) => number
  .toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  .replace(/^-(0(?:\.0*)?)$/, '$1').replace('-', '−');

/** -1234 → '−1,234'; a fraction, '-5/2', stays one. */
export const exact = (amount) => (typeof amount === 'string' ? amount.replace('-', '−') : figure(amount));

/** The same with a sign where something was gained. */
export const gained = (amount) => (/^(-|0$)/.test(amount) ? exact(amount) : `+${exact(amount)}`);

/** 1.26 → '+1.3' */
export const change = (number, digits) => `${number > 0 ? '+' : ''}${decimal(number, digits)}`;

/** '5/2' → 2.5, for a plot */
export const valueOf = (amount) => {
  const [over, under = 1] = String(amount).split('/').map(Number);
  return over / under;
};

/** 27.6 ± 15.8: contains the skill nineteen times out of twenty. */
export const estimate = ({ mu, sigma }) => `${decimal(mu)} ± ${decimal(2 * sigma)}`;

/** The ends of a scale that has room for all these ratings, in tens. */
export function scaleOf(ratings) {
  return [Math.min(0, ...ratings.map(({ low }) => Math.floor(low / 10) * 10)),
    Math.max(50, ...ratings.map(({ high }) => Math.ceil(high / 10) * 10))];
}

/** A rating drawn with its uncertainty, between the ends of a scale; the digits are next to it. */
export function range({ low, high, mu }, [from, to]) {
  const at = (value) => `${(((value - from) / (to - from)) * 100).toFixed(1)}%`;
  const line = (name, one, other) => svg`
    <line class=${name} x1=${at(one)} x2=${at(other)} y1="50%" y2="50%"></line>`;
  return html`<svg class="range" aria-hidden="true">
    ${line('whole', from, to)}${line('between', low, high)}
    <circle cx=${at(mu)} cy="50%" r="5"></circle></svg>`;
}

/** The head of a column of ranges. */
export const scaleInWords = ([from, to]) => html`<span class="scale" aria-hidden="true">
  <span>${exact(from)}</span><span>${exact((from + to) / 2)}</span><span>${exact(to)}</span></span>
  <span class="unseen">Drawn</span>`;

/**
 * A table of figures. One that is too wide scrolls within its own frame.
 *
 * @param {string} caption read aloud, not shown: there is a heading above it
 * @param {[name: unknown, look?: string][]} columns the headings, with the class of each
 * @param {unknown} rows
 * @param {string} look `flow`: on a narrow screen each row becomes a short paragraph
 */
export const tabular = (caption, columns, rows, look = '') => html`
  <div class="scroll" tabindex="0" role="region" aria-label=${caption}><table class=${look}>
    <caption class="unseen">${caption}</caption>
    <thead><tr>${columns.map(([name, kind = '']) => html`
      <th scope="col" class=${kind}>${name}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table></div>`;
