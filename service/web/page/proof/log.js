/** Reads an exported log: the first line, and the events byte for byte. */

/** A fault, and the line of the file where it is. */
export class Fault extends Error {
  constructor(line, message) {
    super(message);
    this.line = line;
  }
}

const ENTRY = new RegExp(
  '^{"version":(\\d+),"type":"([\\w.@]+)","at":(\\d+),"by":"([\\w:]+)","cmd":"([^"\\\\]*)",' +
    '"data":({.*}),"hash":"([0-9a-f]{64})"}$',
  's',
);

/** Returns a function to await in long loops, which lets the page react now and then. */
export function breather() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < 12) return;
    await new Promise((resume) => setTimeout(resume));
    since = performance.now();
  };
}

/** Returns the first line, and the entries, with their `data` as stored and as `fields`; throws `Fault`. */
export async function readLog(text, breathe, what = 'table') {
  const [first, ...lines] = text.split('\n');
  const header = parsed(first, 1);
  const { format, version, head } = header;
  // Players' names may follow; they are not hashed, and prove nothing.
  if (!first.startsWith(JSON.stringify({ format, [what]: header[what], version, head }).slice(0, -1))) {
    throw new Fault(1, `This is not the log of a ${what}.`);
  }
  if (lines.pop() !== '') throw new Fault(lines.length + 2, 'The last line is incomplete.');
  const entries = [];
  for (const line of lines) {
    entries.push(entryOf(line, entries.length + 2));
    await breathe();
  }
  return { header, entries };
}

function entryOf(text, line) {
  const [, version, type, at, by, cmd, data, hash] = ENTRY.exec(text) ?? [];
  if (!hash) throw new Fault(line, 'This is not an event.');
  const [kind] = type.split('@');
  const fields = parsed(data, line);
  // With a duplicate name, two readers could read two different logs.
  if (/^(table|tournament)\./.test(kind) && JSON.stringify(fields) !== data) {
    throw new Fault(line, 'The service would have written this event differently.');
  }
  return { version: +version, type, kind, at: +at, by, cmd, data, fields, hash, line };
}

function parsed(text, line) {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new Fault(line, 'The line is not JSON.');
  }
}

/** Returns the entries of its parent that `table.forked` holds. */
export async function keptEntries({ data, line }, breathe) {
  const kept = [];
  for (const text of elements(data.slice('{"entries":'.length, -1))) {
    kept.push(entryOf(text, line));
    await breathe();
  }
  return kept;
}

/** Yields the elements of a JSON array as they are written, because their bytes were hashed. */
function* elements(array) {
  let [depth, from] = [0, 1];
  for (const { 0: token, index } of array.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/gs)) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (!depth || (depth === 1 && token === ',')) {
      yield array.slice(from, index);
      from = index + 1;
    }
  }
}
