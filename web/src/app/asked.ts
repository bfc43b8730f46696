// Answers of the engine and of the browser come later than they are asked for.

/** Something asked of the engine: not there yet, failed, or the answer. */
export type Asked<T> =
  | {readonly state: 'waiting'}
  | {readonly state: 'failed'; readonly why: string}
  | {readonly state: 'done'; readonly value: T};
