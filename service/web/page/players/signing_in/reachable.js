/** Addresses that the service made, for other devices. */

const isHere = ({ hostname }) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/**
 * A link that other devices can open. A service that was not told its public address knows itself as `localhost`, which
 * means something else on each device; then the address at which this page was opened is the better one.
 */
export function reachable(link) {
  const url = new URL(link);
  return isHere(url) && !isHere(location) ? location.origin + url.pathname + url.hash : link;
}
