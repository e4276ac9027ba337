/** Maps the path of the page to a room. Rooms are loaded when they are first entered. */
import { session } from './session.js';

/** Loads a style sheet of a room once, so that the room is never seen without it. */
const sheets = new Map();
export function style(name) {
  if (!sheets.has(name)) {
    sheets.set(name, new Promise((resolve, reject) => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = new URL(`../style/${name}.css`, import.meta.url);
      link.onload = resolve;
      link.onerror = () => { sheets.delete(name); link.remove(); reject(new TypeError(`style/${name}.css`)); };
      document.head.append(link);
    }));
  }
  return sheets.get(name);
}

/** Goes to an address of this page. */
export function go(path, { replace = false } = {}) {
  history[replace ? 'replaceState' : 'pushState'](null, '', path);
  window.dispatchEvent(new PopStateEvent('popstate'));
}

/** Changes the query of the URL without leaving the room, so that the URL links to what is shown. */
export function setQuery(query) {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  history.replaceState(null, '', address);
}

/**
 * Takes the invitation code out of the address, so that it is neither in the history nor read over a shoulder.
 * It follows `#`, a part of the address that browsers send to nobody.
 * @returns {boolean} whether there was one
 */
function takeInvitation() {
  // Anything after the code was copied along from the sentence around the link.
  const [, code] = /^#invitation=([\w-]*)/.exec(location.hash) ?? [];
  if (code === undefined) return false;
  history.replaceState(null, '', location.pathname + location.search);
  const id = /^\/(?:tables|tournaments)\/(\w+)/.exec(location.pathname)?.[1];
  if (!id || !code) return false;
  session.keepInvitation(id, code);
  return true;
}

/**
 * Shows the room of each address in `main`.
 *
 * @param {HTMLElement} main
 * @param {[RegExp, string, () => Promise<unknown>][]} routes pattern, element, and what loads it; the named groups of
 *   the pattern become attributes of the element
 */
export function route(main, routes) {
  let entered = null;
  let visit = 0;

  async function show({ focus }) {
    const isInvited = takeInvitation();
    const path = location.pathname.replace(/(.)\/$/, '$1');
    const [pattern, tag, load] = routes.find(([candidate]) => candidate.test(path));
    // A room that loads slowly must not replace one that was entered after it.
    visit += 1;
    const mine = visit;
    const found = pattern.exec(path).groups ?? {};
    try {
      await load();
    } catch {
      if (mine === visit) main.replaceChildren(unloaded());
      entered = null;
      return;
    }
    if (mine !== visit) return;
    const key = tag + JSON.stringify(found);
    const isNew = isInvited || key !== entered || !main.firstElementChild;
    if (isNew) {
      const room = document.createElement(tag);
      for (const [name, value] of Object.entries(found)) if (value !== undefined) room.setAttribute(name, value);
      main.replaceChildren(room);
      window.scrollTo(0, 0);
    }
    entered = key;
    // Within a room, such as from rule to rule, the focus is the room's.
    if (focus && isNew) main.focus({ preventScroll: true });
  }

  window.addEventListener('popstate', () => show({ focus: true }));
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
    const to = new URL(link.href);
    if (to.origin !== location.origin || /^\/(v1|openapi)\b/.test(to.pathname)) return;
    if (to.pathname === location.pathname && to.search === location.search && to.hash) return;
    event.preventDefault();
    go(to.pathname + to.search + to.hash);
  });
  show({ focus: false });
}

// A module of a version that the service no longer serves: only a reload helps.
function unloaded() {
  const note = document.createElement('p');
  note.className = 'notice';
  note.setAttribute('role', 'alert');
  note.textContent = 'This part of the page could not be loaded: the connection is down, or Hoodwink has been upgraded. ';
  const again = document.createElement('button');
  again.textContent = 'Reload the page';
  again.onclick = () => location.reload();
  note.append(again);
  return note;
}
