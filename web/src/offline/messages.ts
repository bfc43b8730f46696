// What the page and its service worker tell each other.

/** From the page. */
export type ToKeeper =
  /** Give me what was shared with the page and nobody took yet. */
  | {readonly kind: 'shared'}
  /** Take over from the one before: the person wants the new version. */
  | {readonly kind: 'take over'};

/** From the service worker. */
export type FromKeeper =
  | {readonly kind: 'files'; readonly files: readonly File[]}
  /** It asked the network for this. */
  | {readonly kind: 'asked'; readonly url: string}
  /** So many bytes of the program have come, as they come packed. */
  | {readonly kind: 'coming'; readonly bytes: number};
