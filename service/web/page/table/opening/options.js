/** The options of a table in words. */
import { humanised } from '../../kit/words.js';

const said = (value) => {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return typeof value === 'number' ? value.toLocaleString('en') : String(value).replaceAll('_', ' ');
};

/** The options that differ from the game's defaults; `info` is the game as the API describes it. */
export function changedOptions(options, info) {
  return info.options
    .filter(({ name, default: usual }) => (options[name] ?? null) !== null && options[name] !== usual)
    .map(({ name, meaning }) => ({ name: humanised(name), value: said(options[name]), meaning }));
}
