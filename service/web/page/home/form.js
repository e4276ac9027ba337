/** The fields of a new table: the game's options as the service declares them, its pace, bots and spectators. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { inline } from '../text/inline.js';
import { declaredField, enteredValue, field } from '../kit/form.js';
import { humanised, inWords } from '../kit/words.js';

/**
 * The field of an option.
 *
 * @param {{name: string, default: unknown, meaning: string, form: object}} option as the service describes it
 * @param {unknown} value chosen by the player; undefined for the default
 * @param {string|undefined} fault
 * @param {(value: unknown) => void} choose undefined for the default
 */
export function optionField(option, value, fault, choose) {
  const { name, default: usual } = option;
  const about = declaredField(option);
  const change = (entered) => {
    const chosen = enteredValue(option, entered);
    choose(chosen === usual ? undefined : chosen);
  };
  return field({
    ...about,
    id: `option-${name}`,
    help: html`${inline(option.meaning)} ${limits(option)}`,
    fault,
    choices: about.choices?.map(([each, words]) => [each, each === usual ? `${words} (default)` : words]),
    value: value === undefined ? usual : value,
    change,
  });
}

function limits({ default: usual, form }) {
  const { minimum, maximum, multipleOf } = form;
  if (minimum === undefined || maximum === undefined) return '';
  const steps = multipleOf > 1 ? ` in steps of ${multipleOf}` : '';
  const otherwise = usual === null ? 'leave empty to let the game choose' : `default ${inWords(usual)}`;
  return `(${inWords(minimum)} to ${inWords(maximum)}${steps}; ${otherwise})`;
}

/** The settings of a table besides the options of its game, as fields of `POST /v1/tables`. */
const SETTINGS = [
  { name: 'turn_seconds',
    label: 'Turn clock',
    help: 'By default two minutes if two or more people play. When time runs out, the service moves for the player.',
    choices: [[0, 'none'], [15, '15 seconds'], [30, '30 seconds'], [60, '1 minute'], [120, '2 minutes'],
      [600, '10 minutes'], [86_400, '1 day'], [604_800, '7 days']] },
  { name: 'bot_delay',
    label: 'Bots wait',
    help: 'By default about a second before a turn, so that people can follow.',
    choices: [[0, 'not at all'], [400, 'less than half a second'], [2000, '2 seconds'], [4000, '4 seconds']] },
  { name: 'round_pause',
    label: 'Pause after a round',
    help: 'By default 8 seconds. It ends early if everybody is ready.',
    choices: [[0, 'none'], [3000, '3 seconds'], [20_000, '20 seconds'], [60_000, '1 minute']] },
  { name: 'watch',
    label: 'Who may watch',
    help: 'By default everyone; at a table for friends, those with an invitation. This also holds after the game.',
    choices: [['invited', 'those with an invitation'], ['nobody', 'nobody']] },
  { name: 'rated',
    label: 'Ratings',
    help: 'By default the result counts if the table is open to everybody and everyone may watch. '
      + 'If it does not, and only bots play against you, you can ask for hints.',
    choices: [[false, 'the result does not count']] },
  { name: 'take_backs',
    label: 'Taking back',
    help: 'By default possible if the result does not count.',
    choices: [[true, 'allowed'], [false, 'not allowed']] },
];

/**
 * The fields of the settings.
 *
 * @param {object} chosen those that were changed
 * @param {Record<string, string>} faults
 * @param {(name: string, value: unknown) => void} choose undefined for the default
 */
export const settingFields = (chosen, faults, choose) => SETTINGS.map(({ name, choices, ...about }) => field({
  ...about,
  id: `setting-${name}`,
  kind: 'choice',
  fault: faults[name],
  // `null` stands for the default, because a field with `undefined` is not controlled.
  choices: [[null, 'default'], ...choices],
  value: chosen[name] ?? null,
  change: (value) => choose(name, value ?? undefined),
}));

/** The field for the policy of the bots in the other seats; nothing where there is only one policy. */
export function policyField(policies, chosen, choose) {
  if (policies.length < 2) return nothing;
  const help = policies.find(({ name }) => name === chosen)?.meaning;
  const choices = policies.map(({ name }) => [name, humanised(name)]);
  return field({ id: 'policy', label: 'Bots', kind: 'choice', help, choices, value: chosen, change: choose });
}
