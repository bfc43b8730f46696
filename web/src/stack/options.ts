// The parts of a stack that the user chose to see.

export interface StackOptions {
  /** The diamond stands on the first row. */
  readonly crashed: boolean;
  readonly inlined: boolean;
  readonly guesses: boolean;
  /** Keys of folds that are open. */
  readonly opened: ReadonlySet<string>;
  /** Runs of the system's frames are shown, too. */
  readonly system: boolean;
  /** The number of the row that the verdict names: rows above it are machinery. */
  readonly row?: number | null;
  /** Rows at the outer end that the crashing thread shares. */
  readonly shared?: {readonly count: number; readonly from: number; readonly to: number};
}
