// The messages between the page and its service worker.

/** From the page. */
export type ToKeeper =
  /** Asks for files that were shared with the page and not taken yet. */
  | {readonly kind: 'shared'}
  /** Take over from the old service worker: the user wants the new version. */
  | {readonly kind: 'take over'};

/** From the service worker. */
export type FromKeeper =
  | {readonly kind: 'files'; readonly files: readonly File[]}
  /** It requested this from the network. */
  | {readonly kind: 'asked'; readonly url: string}
  /** So many bytes of the program have arrived, compressed. */
  | {readonly kind: 'coming'; readonly bytes: number};
