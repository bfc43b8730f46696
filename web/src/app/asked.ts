// Requests to the engine and the browser, which answer later.

/** A request to the engine: pending, failed, or answered. */
export type Asked<T> =
  | {readonly state: 'waiting'}
  | {readonly state: 'failed'; readonly why: string}
  | {readonly state: 'done'; readonly value: T};
