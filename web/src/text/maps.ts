// Maps and sets: lists in groups, counts, and changed copies. The page's state is replaced and never changed.

/** The elements by their keys, in the order of their first ones. */
export function grouped<K, T>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** How often each value occurs. */
export function counts<T>(values: Iterable<T>): Map<T, number> {
  const out = new Map<T, number>();
  for (const value of values) out.set(value, (out.get(value) ?? 0) + 1);
  return out;
}

/** The map with this entry as its newest, and with as many of the others as fit below most. */
export function withEntry<K, V>(
  map: ReadonlyMap<K, V>,
  key: K,
  value: V,
  most = Number.POSITIVE_INFINITY,
): ReadonlyMap<K, V> {
  const next = new Map(map);
  next.delete(key);
  for (const oldest of next.keys()) {
    if (next.size < most) break;
    next.delete(oldest);
  }
  return next.set(key, value);
}

/** The set with the key, or without it if it has it. */
export function toggled<T>(set: ReadonlySet<T>, key: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** fn, remembering its last result for each first argument while the other arguments stay the same. The results live as long as these arguments. */
export function memo<K extends object, A extends readonly unknown[], R>(
  fn: (key: K, ...rest: A) => R,
): (key: K, ...rest: A) => R {
  const results = new WeakMap<K, {readonly rest: A; readonly result: R}>();
  return (key, ...rest) => {
    const last = results.get(key);
    if (last?.rest.every((value, i) => Object.is(value, rest[i]))) return last.result;
    const result = fn(key, ...rest);
    results.set(key, {rest, result});
    return result;
  };
}
