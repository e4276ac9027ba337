import { style } from '../kit/router.js';

/** What is loaded together with the sheet of all that a table shows now and then. */
export const dressed = async (module) => (await Promise.all([module, style('room')]))[0];
