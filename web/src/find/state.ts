/** The search over a whole report, while it is open. */
export interface Find {
  readonly query: string;
  /** The result that Enter opens. */
  readonly at: number;
}
