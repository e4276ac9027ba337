/** Modules that are loaded when they are first needed, without holding up what is drawn meanwhile. */
const modules = new Map();

/** After how long one that could not be loaded is tried again, if it is still needed. */
const AGAIN_MS = 3000;

/**
 * Returns the module, or null until it is there.
 * @param {() => Promise<object>} load the same function each time
 * @param {() => void} redraw called when it has come
 */
export function later(load, redraw) {
  if (!modules.has(load)) {
    modules.set(load, null);
    const again = () => { modules.delete(load); redraw(); };
    load().then((module) => { modules.set(load, module); redraw(); }, () => setTimeout(again, AGAIN_MS));
  }
  return modules.get(load);
}
