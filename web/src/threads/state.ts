/** The view of all stacks as one tree. */
export interface Parallel {
  readonly zoom: number;
  /** The text of the search for functions, modules, names and IDs. */
  readonly query: string;
  /** The box with the focus, as an index into the tree's boxes. */
  readonly box: number;
}

export const firstParallel: Parallel = {zoom: 1, query: '', box: 0};
