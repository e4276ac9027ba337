/**
 * The service worker: shows a calm page while the service cannot be reached.
 *
 * It keeps the files of that page only, which never change, in a cache of their release. Everything else goes to the
 * network as if there were no worker; answers of the API are never kept.
 */
const ROOT = new URL('..', self.location).pathname;
const DOCUMENT = `${ROOT}shell/offline.html`;
const FILES = [DOCUMENT, ...['shell/offline.js', 'style/base.css', 'icon.svg'].map((path) => ROOT + path)];
const PREFIX = 'hoodwink ';

/** What reverse proxies answer while the service is down. */
const DOWN = new Set([502, 503, 504]);

self.addEventListener('install', (event) => {
  // Without waiting: no page depends on the worker that it was loaded with.
  self.skipWaiting();
  event.waitUntil(caches.open(PREFIX + ROOT).then((cache) => cache.addAll(FILES)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([
    caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== PREFIX + ROOT)
      .map((name) => caches.delete(name)))),
    // The request need not wait for the worker to start. In Firefox, one that fails shows the browser's error page
    // even if the worker answers. It is disabled there, because an earlier worker may have enabled it.
    self.registration.navigationPreload?.[navigator.userAgent.includes('Firefox') ? 'disable' : 'enable'](),
  ]));
});

self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.mode === 'navigate') event.respondWith(visit(event, pathname));
  else if (origin === self.location.origin && FILES.includes(pathname)) event.respondWith(kept(event.request));
});

async function visit(event, pathname) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    // A link to a file of the API gets the answer of the API in any case.
    if (!DOWN.has(answer.status) || pathname.startsWith('/v1/')) return answer;
  } catch { /* no connection */ }
  return kept(DOCUMENT);
}

self.addEventListener('push', (event) => {
  const { url } = event.data.json();
  event.waitUntil(notify(url));
});

async function notify(url) {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (open.some((tab) => tab.visibilityState === 'visible')) return; // the page itself says so
  const title = url.startsWith('/tournaments/') ? 'There is news of your tournament' : 'A table waits for you';
  await self.registration.showNotification(title, { tag: url, icon: `${ROOT}icons/192.png`, data: { url } });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(lookAt(event.notification.data.url));
});

async function lookAt(url) {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = open.find((tab) => new URL(tab.url).pathname === url);
  return shown ? shown.focus() : self.clients.openWindow(url);
}

const kept = async (request) => (await caches.match(request)) ?? fetch(request);
