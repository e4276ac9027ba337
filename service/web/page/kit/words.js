/** Small pieces of text and templates that all rooms share. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';

/** -1234 → '−1,234', with a true minus */
export const figure = (number) => number.toLocaleString('en').replace('-', '−');

/** 1, 'card' → '1 card', -3, 'point' → '−3 points' */
export const count = (number, one, many = `${one}s`) => `${figure(number)} ${Math.abs(number) === 1 ? one : many}`;

/** 1 → '+1', -2 → '−2', 0 → '0' */
export const signed = (number) => (number > 0 ? `+${figure(number)}` : figure(number));

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });

/** 1 → '1st', 12 → '12th' */
export const nth = (place) => `${place}${{ one: 'st', two: 'nd', few: 'rd', other: 'th' }[ORDINALS.select(place)]}`;

/** ['Ada', 'Bob', 'Cy'] → 'Ada, Bob and Cy' */
export const list = (names) => new Intl.ListFormat('en', { type: 'conjunction' }).format(names).replace(', and', ' and');

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** 'sneak_grace_ms' → 'Sneak grace ms' */
export const humanised = (name) => capital(name).replaceAll('_', ' ');

/** 'after_trick' → 'after trick', true → 'yes', 1000 → '1,000' */
export function inWords(value) {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? value.toLocaleString('en') : String(value).replaceAll('_', ' ');
}

/** {fewest: 2, most: 10} → '2 to 10 players' */
export const seatsInWords = ({ fewest, most }) => (
  fewest === most ? `${most} players` : `${fewest} to ${most} players`);

/** Milliseconds since 1970 as `<time>`: the time of day, and the date unless it is today. */
export function moment(at) {
  const date = new Date(at);
  const sameDay = date.toDateString() === new Date().toDateString();
  const shape = sameDay ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' };
  return html`<time datetime=${date.toISOString()}>${new Intl.DateTimeFormat('en-GB', shape).format(date)}</time>`;
}

/** Milliseconds as '12 s', '1:05', '3 h 20 min' or '4 days'. */
export function duration(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} days`;
}

export const loading = (what = 'Loading') => html`<p class="loading" role="status">${what} …</p>`;

/** 'options.sneak_grace_ms' → 'Sneak grace ms: Must be from 0 to 60000.' */
export const faultInWords = ({ name, detail }) => (
  name ? `${humanised(name.split('.').at(-1))}: ${detail}` : detail);

/** An error in words. If the service failed, it includes the request id, which its operator can find in the logs. */
export function failure(problem, retry) {
  const faults = Array.isArray(problem.faults) ? problem.faults : [];
  return html`
    <div class="notice failed" role="alert">
      <p>${problem.detail ?? 'Something on this page went wrong.'}</p>
      ${faults.map((fault) => html`<p>${faultInWords(fault)}</p>`)}
      ${problem.status >= 500 && problem.requestId ? html`<p class="small">Request ${problem.requestId}</p>` : nothing}
      ${retry ? html`<button @click=${retry}>Try again</button>` : nothing}
    </div>`;
}

/** In characters, of a player. */
export const MAX_NAME_LENGTH = 40;

/** A typed name without spaces around it, and with single ones inside. */
export const tidyName = (text) => text.trim().replace(/\s+/g, ' ');

/** Sets the title of the tab, which screen readers announce first. */
export function setTitle(title) {
  document.title = title ? `${title} · Hoodwink` : 'Hoodwink';
}
