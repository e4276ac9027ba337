/** Notifications about tables, which the service worker shows, because phones refuse those of pages. */

/** Shows a notification if the player allows it; it replaces the one before it about the same address. */
export async function notify(title, { url, ...more }) {
  if (window.Notification?.permission !== 'granted') return;
  const worker = await navigator.serviceWorker?.getRegistration();
  await worker?.showNotification(title, { tag: url, icon: new URL('../icons/192.png', import.meta.url).href, data: { url }, ...more });
}
