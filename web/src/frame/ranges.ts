// Finds the range of an address among thousands of modules, stacks or regions, for each word of a stack.

/** Half open: from is inside and to is not. */
export interface Range<T> {
  readonly from: bigint;
  readonly to: bigint;
  readonly of: T;
}

/** Finds the first range, in the given order, that contains an address; ranges may overlap and may be empty. */
export function finder<T>(ranges: readonly Range<T>[]): (n: bigint) => T | null {
  const sorted = ranges
    .map((range, order) => ({...range, order, reach: range.to}))
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  // The highest end of this range and those before it: if it is not above an address, none of them contains it.
  for (const [i, range] of sorted.entries()) {
    const before = sorted[i - 1]?.reach;
    if (before !== undefined && before > range.reach) range.reach = before;
  }
  return n => {
    let best: (typeof sorted)[number] | null = null;
    for (let i = beginning(sorted, n) - 1; i >= 0; i--) {
      const range = sorted[i];
      if (!range || range.reach <= n) break;
      if (range.to > n && (best === null || range.order < best.order)) best = range;
    }
    return best?.of ?? null;
  };
}

// How many ranges begin at n or before.
function beginning(sorted: readonly {readonly from: bigint}[], n: bigint): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.from ?? 0n) <= n) low = middle + 1;
    else high = middle;
  }
  return low;
}
