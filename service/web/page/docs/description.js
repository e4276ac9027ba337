/** Reads parts of an OpenAPI description. */

/** The part itself, with what a reference in it leads to, and with the fields of its bases. */
export function resolved(described, part = {}) {
  if (part.$ref) {
    const [, , kind, name] = part.$ref.split('/');
    return { ...resolved(described, described.components[kind][name]), ...without(part, '$ref') };
  }
  if (!part.allOf) return part;
  const bases = part.allOf.map((base) => resolved(described, base));
  return {
    ...without(part, 'allOf'),
    properties: Object.assign({}, ...bases.map(({ properties }) => properties), part.properties),
    required: [...bases, part].flatMap(({ required = [] }) => required),
  };
}

const without = (part, name) => Object.fromEntries(Object.entries(part).filter(([key]) => key !== name));

/** `#/components/schemas/Card` → 'Card' */
export const nameOf = ({ $ref }) => $ref?.split('/').at(-1);
