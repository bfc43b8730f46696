// A cache of results that lives as long as their arguments. Reports are never changed, so the same report gives the same rows.

/** fn, remembering its last result for each first argument while the other arguments stay the same. */
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
