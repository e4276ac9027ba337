/** This browser's subscription to pushes, which call the player while the page is closed. */
import { api } from './api.js';

const PATH = '/v1/me/pushes';

const manager = async () => (await navigator.serviceWorker?.getRegistration())?.pushManager;

/** The browser's subscription, if it has one. */
export const subscription = async () => (await manager())?.getSubscription();

export const listed = () => api.get(PATH);

/** Tells the service about the subscription, under the token that is in use now. */
export function report(subscribed) {
  const { endpoint, keys } = subscribed.toJSON();
  return api.put(PATH, { body: { endpoint, keys } });
}

/** Subscribes again, because a subscription is bound to a key of the service. */
export async function subscribe() {
  const { public_key: applicationServerKey } = await listed();
  await forget();
  await report(await (await manager()).subscribe({ userVisibleOnly: true, applicationServerKey }));
}

/** Subscribes again if the service has another key by now. */
export async function renew() {
  const key = (await subscription())?.options.applicationServerKey;
  if (!key) return;
  const { public_key: current } = await listed();
  const own = btoa(String.fromCharCode(...new Uint8Array(key)));
  if (own.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') !== current) await subscribe();
}

/** Ends the browser's subscription; the service learns this at the next push. */
export async function forget() {
  await (await subscription())?.unsubscribe();
}

export const remove = (id) => api.del(`${PATH}/${id}`);
