// The state of the views of many dumps.
import type {Baseline} from './baseline.ts';
import type {Grouping, Order} from './triage.ts';

export interface TriageState {
  /** The two dumps that are compared, by their places among the open ones. */
  readonly pair: readonly [number, number];
  /** Dumps that are chosen in the table, two at most. */
  readonly chosen: readonly number[];
  readonly grouping: Grouping;
  readonly order: Order;
  /** The key of the selected group; null for the first one. */
  readonly selected: string | null;
  /** Files that may be dumps and were not read. */
  readonly left: number;
  /** The baseline with which the open dumps are compared. */
  readonly baseline: Baseline | null;
}

export const firstTriage: TriageState = {
  pair: [0, 1],
  chosen: [],
  grouping: 'signature',
  order: 'new',
  selected: null,
  left: 0,
  baseline: null,
};
