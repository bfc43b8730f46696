// Counts what leaves the page, whoever asks for it: the page by the browser's own record, the service worker by what it tells,
// and the asker by what it was told.
import type {Store} from '../app/store.ts';
import type {FromKeeper} from '../offline/messages.ts';
import type {Asked} from './state.ts';

/** Adds requests to those that the page shows. */
export function noteRequests(store: Store, made: readonly Asked[]): void {
  if (made.length === 0) return;
  store.update(({privacy, requests}) => ({
    requests: requests + made.length,
    privacy: {...privacy, asked: [...privacy.asked, ...made]},
  }));
}

/** Follows how much of the program has come, until it is there. */
export function watchLoading(store: Store): void {
  navigator.serviceWorker?.addEventListener('message', ({data}: MessageEvent<FromKeeper>) => {
    if (data.kind === 'coming' && store.state.engine.state === 'waiting') store.update({coming: data.bytes});
  });
}

/** Counts from now on. */
export function watchRequests(store: Store): void {
  const observer = new PerformanceObserver(list => {
    // A blob: or data: URL is in memory already: nothing goes over a wire.
    const urls = list.getEntries().map(entry => entry.name);
    noteRequests(
      store,
      urls.filter(url => /^https?:/.test(url)).map(url => ({by: 'page', url})),
    );
  });
  observer.observe({type: 'resource', buffered: false});
  navigator.serviceWorker?.addEventListener('message', ({data}: MessageEvent<FromKeeper>) => {
    if (data.kind === 'asked') noteRequests(store, [{by: 'service worker', url: data.url}]);
  });
  document.addEventListener('securitypolicyviolation', () =>
    store.update(({privacy}) => ({privacy: {...privacy, refused: privacy.refused + 1}})),
  );
}
