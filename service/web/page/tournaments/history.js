/** A tournament's history, newest first. */
import { repeat } from '../vendor/lit-html/directives/repeat.js';
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { reasonOf } from './reasons.js';
import { failure, loading, moment } from '../kit/words.js';

const PAGE = 500;

/** Where events have a text other than a reason. */
const TEXTS = { 'tournament.announced': 'text', 'tournament.team_chosen': 'name' };

export function history(room) {
  if (!room.past) load(room);
  const { events, problem, loaded } = room.past;
  if (problem)
    return failure(problem, () => {
      room.past = null;
      room.update();
    });
  const known = new Map([...events, ...room.live.events].map((event) => [event.version, event]));
  const latest = [...known.values()].sort((one, other) => other.version - one.version);
  return html`
    ${loaded ? nothing : loading('Loading the history')}
    <ol class="chronicle" reversed>${repeat(
      latest,
      ({ version }) => version,
      ({ at, words, type, data }) => html`
      <li><span class="small">${moment(at)}</span> ${words}${
        reasonOf(room, data?.[TEXTS[type] ?? 'reason'])}</li>`,
    )}</ol>`;
}

async function load(room) {
  const past = { events: [], loaded: false };
  room.past = past;
  try {
    for (let cursor, more = true; more && room.past === past;) {
      const query = { include: 'words', limit: PAGE, cursor };
      const page = await api.get(`${room.live.path}/events`, { query });
      past.events.push(...page.events);
      ({ cursor, more } = page);
    }
    past.loaded = true;
  } catch (problem) {
    past.problem = problem;
  }
  room.update();
}
