/** The description and announcements, written at the desk. */
import { field } from '../../kit/form.js';
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
  const stored = description ? textOf(room, description) : '';
  const text = room.described ?? stored ?? '';
  const send = async () => {
    if (await room.act('description', '/description', { text })) room.set({ described: null });
  };
  return folded('description', 'Description', deskForm(room, {
    name: 'description',
    label: 'Save the description',
    content: descriptionField(text, (described) => room.set({ described })),
    send,
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
