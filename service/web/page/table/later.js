/** Modules that are loaded when first needed, while the rest is drawn. */
import { style } from '../kit/router.js';

const modules = new Map();

/** How long to wait before a module that failed to load is tried again. */
const AGAIN_MS = 3000;

/**
 * Returns the module, or null until it is loaded.
 * @param {() => Promise<object>} load the same function each time
 * @param {() => void} redraw called when it has loaded
 */
export function later(load, redraw) {
  if (!modules.has(load)) {
    modules.set(load, null);
    const again = () => { modules.delete(load); redraw(); };
    load().then((module) => { modules.set(load, module); redraw(); }, () => setTimeout(again, AGAIN_MS));
  }
  return modules.get(load);
}

/** Loads a module together with the style sheet of the parts that a table shows only now and then. */
export const withStyles = async (module) => (await Promise.all([module, style('room')]))[0];
