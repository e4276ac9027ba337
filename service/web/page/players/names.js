/** Names of players, and the seats of tables. Each is requested once, only a few at a time. */
import { html } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { humanised } from '../kit/words.js';

const MAX_REQUESTS = 4;
const known = new Map();
const waiting = [];
let asking = 0;

function proceed() {
  while (asking < MAX_REQUESTS && waiting.length) {
    asking += 1;
    waiting.shift()().finally(() => { asking -= 1; proceed(); });
  }
}

/** Returns the answer of a path, or undefined until it has arrived, when `redraw` is called. */
function remembered(path, redraw, pick) {
  if (!known.has(path)) {
    known.set(path, undefined);
    waiting.push(async () => {
      try {
        known.set(path, pick(await api.get(path)));
      } catch {
        known.set(path, null);
      }
      redraw();
    });
    proceed();
  }
  return known.get(path);
}

/** `bot:steady` or `steady@2` → its policy and version; null for a person */
export function botOf(id) {
  const [, policy, version] = /^(?:bot:)?([a-z]+)(?:@(\d+))?$/.exec(/[:@]/.test(id) ? id : '') ?? [];
  return policy ? { policy, version: version ? Number(version) : null } : null;
}

export function botName(id) {
  const { policy, version } = botOf(id);
  return `${humanised(policy)} bot${version ? `, version ${version}` : ''}`;
}

/** A player as a link to their page. */
export const person = (id, name) => html`<a href="/players/${id}">${name}</a>`;

/** The same by id; the name replaces it once it has loaded. */
export function personById(id, redraw) {
  if (botOf(id)) return person(id, botName(id));
  return person(id, remembered(`/v1/players/${id}`, redraw, ({ name }) => name) ?? id);
}

/** The seats of a table, `{seat, player, name}`; undefined until loaded, null if the viewer may not watch it. */
export function seatsAt(table, redraw) {
  return remembered(`/v1/tables/${table}`, redraw, ({ view }) => view.seats);
}

/** 'Ada, Bob and Cy' as links */
export function people(all) {
  const between = (index) => (index === 0 ? '' : index === all.length - 1 ? ' and ' : ', ');
  return all.map((each, index) => html`${between(index)}${each}`);
}
