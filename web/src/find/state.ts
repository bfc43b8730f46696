/** The search over all that a report has; open while a person types. */
export interface Find {
  readonly query: string;
  /** The result that Enter goes to. */
  readonly at: number;
}
