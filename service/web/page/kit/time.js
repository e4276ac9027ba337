/** The service's clock, by which countdowns run; every message carries its `now`. */
let ahead = 0;

/** Learns from a message how far the service's clock is ahead of this machine's. */
export function synchronise(now) {
  if (now) ahead = now - Date.now();
}

/** The time by the service's clock, in ms since 1970. */
export const serverNow = () => Date.now() + ahead;

/** The time zone of this machine, in which the page shows and takes times: 'Europe/Berlin'. */
export const timeZone = () => new Intl.DateTimeFormat('en').resolvedOptions().timeZone.replaceAll('_', ' ');
