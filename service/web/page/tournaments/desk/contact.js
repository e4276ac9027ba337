/** The description and announcements, written at the desk. */
import { field } from '../../kit/form.js';
import { loading } from '../../kit/words.js';
import { textOf } from '../reasons.js';
import { deskForm, folded, part } from './forms.js';

const MAX_LENGTH = 5000;

export const descriptionField = (value, change) => field({
  id: 'description',
  label: 'Description and rules',
  kind: 'lines',
  rows: 8,
  maxlength: MAX_LENGTH,
  help: 'In Markdown: # headings, - lists, **bold**, `code`, and [links](https://…). Everybody can read it.',
  value,
  input: change,
});

export function descriptionDesk(room) {
  const { description } = room.view;
  // Until it is read, nobody may overwrite it with an empty one.
  const stored = description ? textOf(room, description) || null : '';
  if (room.described === stored) room.described = null; // saved
  const text = room.described ?? stored;
  return folded('description', 'Description', text === null ? loading('Loading the description') : deskForm(room, {
    name: 'description',
    label: 'Save the description',
    content: descriptionField(text, (described) => room.set({ described })),
    send: () => room.act('description', '/description', { text }),
  }));
}

export const announcing = (room) => part('announcements', 'Announce something', deskForm(room, {
  name: 'announcement',
  label: 'Announce it',
  content: field({ id: 'announcement', name: 'text', label: 'Announcement', required: true, maxlength: 500,
    help: 'Everybody can read it, and browsers call the entrants who have turned calls on. At most one a minute.' }),
  send: async (values, form) => {
    if (await room.act('announcement', '/announcements', { text: values.text.trim() })) form.reset();
  },
}));
