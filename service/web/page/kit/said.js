/** What the lists, the forms and the rules say alike. */

/** {fewest: 2, most: 10} → '2 to 10 players' */
export const seatsInWords = ({ fewest, most }) => (
  fewest === most ? `${most} players` : `${fewest} to ${most} players`);

/** 'after_trick' → 'after trick', true → 'yes', 1000 → '1,000' */
export function said(value) {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? value.toLocaleString('en') : String(value).replaceAll('_', ' ');
}
