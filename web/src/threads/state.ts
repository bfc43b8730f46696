/** The view of all stacks as one tree. */
export interface Parallel {
  readonly zoom: number;
  /** Functions, modules, names and ids that are looked for. */
  readonly query: string;
  /** The box that has the focus, as a place in the tree's list. */
  readonly box: number;
}

export const firstParallel: Parallel = {zoom: 1, query: '', box: 0};
