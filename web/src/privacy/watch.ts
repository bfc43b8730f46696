// Counts all requests: those of the page from the browser's own record, those of the service worker from its messages, and
// those of the requester from the messages to it.
import type {Store} from '../app/store.ts';
import type {FromServiceWorker} from '../offline/messages.ts';
import type {SentRequest} from './state.ts';

/** Adds requests to those that the page shows. */
export function noteRequests(store: Store, made: readonly SentRequest[]): void {
  if (made.length === 0) return;
  store.change('privacy', ({requests, requested}) => ({
    requests: requests + made.length,
    requested: [...requested, ...made],
  }));
}

/** Follows the transfer of the program. */
export function watchLoading(store: Store): void {
  navigator.serviceWorker?.addEventListener('message', ({data}: MessageEvent<FromServiceWorker>) => {
    if (data.kind === 'coming' && store.state.reading.engine.state === 'waiting')
      store.change('reading', {coming: data.bytes});
  });
}

/** Counts from now on. */
export function watchRequests(store: Store): void {
  const observer = new PerformanceObserver(list => {
    // A blob: or data: URL is in memory already: it needs no network.
    const urls = list.getEntries().map(entry => entry.name);
    noteRequests(
      store,
      urls.filter(url => /^https?:/.test(url)).map(url => ({by: 'page', url})),
    );
  });
  observer.observe({type: 'resource', buffered: false});
  navigator.serviceWorker?.addEventListener('message', ({data}: MessageEvent<FromServiceWorker>) => {
    if (data.kind === 'requested') noteRequests(store, [{by: 'service worker', url: data.url}]);
  });
  document.addEventListener('securitypolicyviolation', () =>
    store.change('privacy', ({refused}) => ({refused: refused + 1})),
  );
}
