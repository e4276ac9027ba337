/** The journal: what officials and administrators decided, the latest first. */
import { repeat } from '../../vendor/lit-html/directives/repeat.js';
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { button } from '../../kit/form.js';
import { settle } from '../../kit/jobs.js';
import { failure, loading, moment } from '../../kit/words.js';
import { reasonOf } from '../reasons.js';
import { folded } from './forms.js';

const PAGE = 50;

export function journalDesk(room) {
  const opened = ({ target }) => target.open && read(room);
  return folded('journal', 'Journal', html`
    <p class="small">All decisions of officials. Everybody can read them in the history, too.</p>
    ${room.journal ? acts(room) : nothing}`, { note: 'who decided what, and why', toggle: opened });
}

function acts(room) {
  const { entries, cursor, problem, isReading } = room.journal;
  if (problem) return failure(problem, () => read(room));
  if (isReading && !entries.length) return loading('Loading the journal');
  return html`<ol class="chronicle" reversed>${repeat(entries, ({ version }) => version, (act) => line(room, act))}</ol>
    ${cursor ? button('Show earlier ones', { isBusy: isReading, press: () => read(room, cursor) }) : nothing}`;
}

const announced = ({ view }, at) => view.announcements.find((announcement) => announcement.at === at)?.text;

const line = (room, { at, type, words, reason, reversed_by: reversed }) => html`
  <li><span class="small">${moment(at)}</span> ${words}${
    reasonOf(room, type === 'tournament.announced' ? announced(room, at) : reason)}${reversed
    ? html` <span class="small">(reversed by an administrator)</span>` : nothing}</li>`;

async function read(room, cursor) {
  const entries = cursor ? room.journal.entries : [];
  room.set({ journal: { entries, isReading: true } });
  try {
    const page = await settle(api.get(`${room.live.path}/journal`, { query: { limit: PAGE, cursor } }));
    room.set({ journal: { entries: [...entries, ...page.acts], cursor: page.cursor } });
  } catch (problem) {
    room.set({ journal: { entries, problem } });
  }
}
