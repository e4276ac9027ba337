/** Who somebody is: names of players, and who sat at a table. Asked once each, and a few at the same time. */
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

/** Returns what a path answered, or undefined so far; `redraw` is called once it is known. */
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

/** A player as a link to what is known about them. */
export const person = (id, name) => html`<a href="/players/${id}">${name}</a>`;

/** A player of whom only the id is known so far. */
export function personById(id, redraw) {
  if (botOf(id)) return person(id, botName(id));
  return person(id, remembered(`/v1/players/${id}`, redraw, ({ name }) => name) ?? id);
}

/** The seats of a table, `{seat, player, name}`; undefined so far, and null where one may not watch it. */
export function seatsAt(table, redraw) {
  return remembered(`/v1/tables/${table}`, redraw, ({ view }) => view.seats);
}

/** 'Ada, Bob and Cy' as links */
export function people(all) {
  const between = (index) => (index === 0 ? '' : index === all.length - 1 ? ' and ' : ', ');
  return all.map((each, index) => html`${between(index)}${each}`);
}
