/** Saves a file that a request gets with a token in its header, so that no token stands in any address. */
import { api } from '../kit/api.js';

/** Saves the log of a table or of an import, byte for byte. */
export async function save(path) {
  const log = await api.get(`${path}/log`, { as: 'blob', headers: { Accept: 'application/x-ndjson' } });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(log);
  link.download = `${path.split('/').at(-1)}.ndjson`;
  link.click();
  // A browser that reads the file only later would find nothing, if it were gone at once.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
