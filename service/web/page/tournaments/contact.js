/** What officials write to everybody: the description, and announcements. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { loading, moment } from '../kit/words.js';
import { draw, parse } from '../text/markdown.js';
import { textOf } from './reasons.js';

const SHOWN = 3;

/** An address that is a word of its own, without the mark that ends its sentence. */
const ADDRESS = /(^|\s)(https:\/\/[^\s()<>[\]]*[^\s()<>[\].,;:!?*])/gm;

/** A block of code, which ends with the text unless it is closed. */
const CODE = /(^ *```[^]*?(?:^ *```|$(?![^])))/m;

/** A link in a text that a stranger wrote. */
const strangersLink = (link, label) => (link.startsWith('https://')
  ? html`<a href=${link} target="_blank" rel="nofollow noopener">${label}</a>` : label);

/** A line with its addresses as links. */
const linked = (line) => line.split(ADDRESS).map((piece, index) => (index % 3 === 2 ? strangersLink(piece, piece) : piece));

/** The description, as a tab. */
export function about(room, { description }) {
  const text = textOf(room, description);
  if (!text) return loading();
  const marked = text.split(CODE).map((piece, index) => (index % 2 ? piece : piece.replace(ADDRESS, '$1[$2]($2)'))).join('');
  return html`<div class="about">${draw(parse(marked), { prefix: 'about-', below: 1, anchor: strangersLink })}</div>`;
}

/** The latest announcements; the others are in the history. */
export function announcements(room) {
  const { view } = room;
  if (!view.announcements.length) return nothing;
  const writer = (official) => [...view.co_organisers, ...view.arbiters].find(({ id }) => id === official)?.name ?? (
    official === view.organiser ? room.organiserName ?? 'the organiser' : 'an arbiter');
  return html`<section class="panel announced" aria-labelledby="announced">
    <h2 id="announced">Announcements</h2>
    <ul>${view.announcements.slice(0, SHOWN).map(({ at, official, text }) => html`<li>
      <bdi>${linked(textOf(room, text) ?? '')}</bdi> <span class="small">${writer(official)}, ${moment(at)}</span></li>`)}</ul>
  </section>`;
}
