// The messages between the page and its service worker.

/** From the page. */
export type ToServiceWorker =
  /** Requests files that were shared with the page and are not open yet. */
  | {readonly kind: 'shared'}
  /** Stop fetching the new version: the page does not wait any longer. */
  | {readonly kind: 'stop'}
  /** Take over from the old service worker: the user wants the new version. */
  | {readonly kind: 'take over'};

/** Whether a service worker may fetch its build. A page that runs as a file of its build says yes with the text of its script. */
export type Answer = boolean | {readonly script: string};

/** From the service worker. */
export type FromServiceWorker =
  /** Asks whether it may fetch the build; an Answer comes through the attached port. */
  | {readonly kind: 'may fetch'}
  | {readonly kind: 'files'; readonly files: readonly File[]}
  /** It requested this from the network. */
  | {readonly kind: 'requested'; readonly url: string}
  /** So many bytes of the program have arrived, compressed. */
  | {readonly kind: 'coming'; readonly bytes: number};
