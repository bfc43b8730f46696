// The messages between the page and its service worker.

/** From the page. */
export type ToServiceWorker =
  /** Requests files that were shared with the page and are not open yet. */
  | {readonly kind: 'shared'}
  /** Stop fetching the new version: the page does not wait any longer. */
  | {readonly kind: 'stop'}
  /** Take over from the old service worker: the user wants the new version. */
  | {readonly kind: 'take over'};

/** From the service worker. */
export type FromServiceWorker =
  /** Asks whether it may fetch the build; the answer comes through the attached port, as true or false. */
  | {readonly kind: 'may fetch'}
  | {readonly kind: 'files'; readonly files: readonly File[]}
  /** It requested this from the network. */
  | {readonly kind: 'requested'; readonly url: string}
  /** So many bytes of the program have arrived, compressed. */
  | {readonly kind: 'coming'; readonly bytes: number};
