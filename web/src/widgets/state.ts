/** The state of long lists, by the lists' names. */
export interface ListsState {
  readonly filters: ReadonlyMap<string, string>;
  /** How many rows are shown, if more than the first chunk. */
  readonly shown: ReadonlyMap<string, number>;
}

export const firstLists: ListsState = {filters: new Map(), shown: new Map()};
