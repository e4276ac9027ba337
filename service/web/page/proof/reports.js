/** Reports of checks: what each has found, and the first fault. */

import { Fault } from './log.js';

/**
 * @typedef {{passed: boolean|null, text: string, line: number|null, table?: string}} Detail `line` is of the file,
 *   from 1; with a `table`, of that table's file. `passed` is null where there was nothing to check
 * @typedef {{id: string, name: string, passed: boolean|null, explanation: string, details: Detail[]}} Check
 */

/**
 * Collects what checks find.
 *
 * @param {object} texts by id: each check's name, and its text if it passes, if it fails, and if there is nothing to check
 * @param {string[]} [optional] the checks that a report leaves out if they have found nothing
 */
export function collector(texts, optional = []) {
  const found = Object.fromEntries(Object.keys(texts).map((id) => [id, []]));
  /** Returns a function that adds a fact, with the texts for a right one (empty if not worth mentioning) and a wrong one. */
  const noteIn = (id) => (passed, right, wrong, line = null, table = undefined) => {
    const message = passed === false ? wrong : right;
    if (message) found[id].push({ passed, text: message, line, ...(table && { table }) });
  };
  return {
    noteIn,
    /** Runs a check; what it throws is its fault. */
    async attempt(id, check) {
      try {
        return await check(noteIn(id));
      } catch (error) {
        noteIn(id)(false, '', error instanceof Fault ? error.message : 'This cannot be read.', error.line);
        return null;
      }
    },
    /**
     * @param {object} [others] texts that replace some of the first
     * @returns {{passed: boolean, checks: Check[], fault: Detail|null}} `fault` is what fails first in the file
     */
    report(others = {}) {
      const checks = Object.entries({ ...texts, ...others })
        .filter(([id]) => found[id].length || !optional.includes(id))
        .map(([id, said]) => result(id, said, found[id]));
      const faults = checks.flatMap(({ details }) => details.filter(({ passed }) => passed === false));
      const [fault = null] = faults.sort((one, other) => rank(one) - rank(other) || 0);
      return { passed: !fault, checks, fault };
    },
  };
}

// The first line only repeats the others, so it is to blame only if they agree. Faults of another file come last.
const rank = ({ line, table }) => (line > 1 && !table ? line : Infinity);

function result(id, [name, right, wrong, nothing = 'The file cannot be read.'], details) {
  const outcomes = details.map(({ passed }) => passed);
  const passed = outcomes.includes(false) ? false : outcomes.includes(true) || null;
  return { id, name, passed, explanation: passed ? right : passed === false ? wrong : nothing, details };
}
