/** Form fields for game options, built from the service's descriptions. */
import { humanised } from '../../kit/words.js';
import { field } from './fields.js';

/**
 * @param {{name: string, default: unknown, meaning: string, form: object}} option
 * @param {object} values options that differ from their defaults
 */
export function optionField(option, values, fault, input) {
  const { name, form, meaning } = option;
  const value = name in values ? values[name] : option.default;
  const setting = { name: `options.${name}`, label: humanised(name), help: meaning };
  const types = [form.type].flat();
  if (types.includes('boolean')) return field({ ...setting, kind: 'check' }, { value, fault, input });
  if (form.enum) {
    const choices = Object.fromEntries(form.enum.map((choice) => [choice, [humanised(`${choice}`), '']]));
    return field({ ...setting, kind: 'choice', choices }, { value, fault, input });
  }
  const read = (text) => input(text === '' ? null : Number(text));
  const shown = value ?? '';
  const step = form.multipleOf ?? 1;
  return field(
    { ...setting, kind: 'number', min: form.minimum, max: form.maximum, step },
    { value: shown, fault, input: read },
  );
}
