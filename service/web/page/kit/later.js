/** Modules that are loaded when they are first needed, without holding up what is drawn meanwhile. */
const modules = new Map();

/**
 * Returns the module, or null until it is there.
 * @param {() => Promise<object>} load the same function each time
 * @param {() => void} redraw called when it has come
 */
export function later(load, redraw) {
  if (!modules.has(load)) {
    modules.set(load, null);
    load().then((module) => { modules.set(load, module); redraw(); }, () => modules.delete(load));
  }
  return modules.get(load);
}
