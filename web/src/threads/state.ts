// The state of the list of threads, and of their tree.

/** The view of all stacks as one tree. */
export interface Parallel {
  /** The text of the search for functions, modules, names and IDs. */
  readonly query: string;
  /** The box with the focus, as an index into the tree's boxes. */
  readonly box: number;
}

export interface ThreadsState {
  /** The filter of the other threads. */
  readonly filter: string;
  readonly parallel: Parallel;
}

export const firstThreads: ThreadsState = {filter: '', parallel: {query: '', box: 0}};
