import { style } from '../kit/router.js';

/** Loads a module together with the style sheet of the parts that a table shows only now and then. */
export const withStyles = async (module) => (await Promise.all([module, style('room')]))[0];
