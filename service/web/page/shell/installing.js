/** Registers the service worker, and keeps the browser's pushes those of the player who is signed in. */
import { session } from '../kit/session.js';

// Nobody has a subscription without the permission, which few players give.
const pushes = () => (globalThis.Notification?.permission === 'granted' ? import('../kit/pushes.js') : null);

const WORKER = new URL('./worker.js', import.meta.url).href;

// The only script address that this page may name at run time.
const policy = window.trustedTypes?.createPolicy('service-worker', { createScriptURL: () => WORKER });

// It may be refused, such as in private windows; the page needs no worker.
navigator.serviceWorker.register(policy?.createScriptURL('') ?? WORKER, { scope: '/' }).catch(() => {});

let { id, token } = session.player ?? {};

if (id) pushes()?.then(({ renew }) => renew()).catch(() => {});

session.addEventListener('change', async () => {
  const before = { id, token };
  ({ id, token } = session.player ?? {});
  if (token === before.token || !before.id) return;
  const { forget, report, subscription } = await pushes() ?? {};
  const subscribed = await subscription?.().catch(() => null);
  if (!subscribed) return;
  // A subscription ends with its token, and the next player of this browser must not get the calls of this one.
  await (id === before.id ? report(subscribed) : forget()).catch(() => {});
});
