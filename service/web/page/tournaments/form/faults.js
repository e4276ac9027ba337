/** Maps the errors of a refused request to form fields. */
import { humanised } from '../../kit/words.js';
import { SETTINGS, labelOf, wordsOf } from './settings.js';

const BY_NAME = new Map(SETTINGS.map((setting) => [setting.name, setting]));

/**
 * @param {import('../../kit/api.js').Problem} problem
 * @param {{name: string}[]} options of the game
 * @returns {Object<string, string>} messages by field; empty if the problem concerns no field
 */
export function faultsOf(problem, options = []) {
  const faults = {};
  for (const { name, detail } of problem.faults ?? []) {
    const placed = placeOf(name, options);
    if (placed) faults[placed] = [faults[placed], inUnit(placed, detail)].filter(Boolean).join(' ');
  }

  if (Object.keys(faults).length || problem.status !== 422) return faults;
  if (problem.code === 'name_illegible') return { name: problem.detail };
  // The service quotes setting names in backticks; the one to change comes first.
  const named = [...problem.detail.matchAll(/`(\w+)/g)]
    .map(([, name]) => placeOf(name, options))
    .find(Boolean);
  return named ? { [named]: inWords(problem.detail) } : {};
}

/** Converts the numbers in a message, such as 'Must be from 0 to 604800.', to the field's unit. */
function inUnit(name, detail) {
  const { scale = 1 } = BY_NAME.get(name) ?? {};
  return detail.replace(/\d+/g, (number) => `${Number(number) / scale}`);
}

/** The form field for an API name such as `sittings.0.rounds`. */
function placeOf(name, options) {
  const [first, ...rest] = name.split('.');
  if (first === 'options') return rest[0] ? `options.${rest[0]}` : null;
  if (first === 'sittings') return rest.length === 2 ? name : 'sittings';
  if (first === 'starts_at') return 'sittings';
  if (BY_NAME.has(first)) return first;
  return options.some((option) => option.name === first) ? `options.${first}` : null;
}

/** 'With `advance: schedule`, every sitting …' → 'With “The next round starts: …”, every sitting …' */
const inWords = (detail) =>
  detail.replace(/`(\w+)(?:: (\w+))?`/g, (_, name, value) => {
    const setting = BY_NAME.get(name) ?? { label: name === 'starts_at' ? 'Begins' : humanised(name) };
    return value ? `“${labelOf(setting)}: ${wordsOf(setting, value)}”` : `“${labelOf(setting)}”`;
  });
