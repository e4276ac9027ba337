/** A statement as a CSV file, with the columns of the service's own CSV. */
const COLUMNS = ['entry', 'time', 'event', 'table', 'tournament', 'game', 'round', 'account', 'unit',
  'amount', 'balance', 'reverses'];

const quoted = (value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

export function csvOf(lines) {
  const time = (at) => new Date(at).toISOString().replace('Z', '+00:00');
  const rows = lines.map((line) => ({ ...line, time: time(line.at) }));
  return [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => quoted(String(row[name] ?? ''))))]
    .map((row) => `${row.join(',')}\r\n`).join('');
}

/** Lets the browser save a text as a file. */
export function saveFile(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
