// A name for this tab that survives a reload and is unique.
const key = 'crashglass.tab';

export interface Tab {
  /** The name; the first call creates it. */
  name(): string;
  /** The name, if there is one. */
  taken(): string | null;
  /** The name that this tab, or the tab of which it is a copy, had before loading; and the names of other tabs. */
  start(): Promise<{readonly before: string | null; readonly others: ReadonlySet<string>}>;
  /** The names of other tabs that are open now. */
  others(): Promise<ReadonlySet<string>>;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * The tab of this page. A duplicated tab has the storage of the original, and gets a name of its own. A browser that
 * refuses storage throws as soon as the page accesses it, so it is accessed only when needed.
 */
export function thisTab(storage = (): Storage => sessionStorage, locks = (): LockManager => navigator.locks): Tab {
  let taken: string | null = null;
  const ask = async (name: string, told: (taken: boolean) => void): Promise<void> => {
    await locks().request(name, {ifAvailable: true}, lock => {
      told(lock !== null);
      return lock ? new Promise<void>(() => undefined) : undefined; // until the tab is closed
    });
  };
  const take = (name: string): Promise<boolean> => new Promise(done => void ask(name, done).catch(() => done(false)));
  const name = (): string => {
    if (taken !== null) return taken;
    const made = `${key}.${crypto.randomUUID()}`;
    storage().setItem(key, made);
    taken = made;
    void take(taken);
    return taken;
  };
  const others = async (): Promise<ReadonlySet<string>> => {
    const {held = []} = await locks().query();
    return new Set(held.map(lock => lock.name ?? '').filter(other => other !== taken));
  };
  return {
    name,
    taken: () => taken,
    others,
    start: async () => {
      const before = storage().getItem(key);
      if (taken === null && before !== null && (await take(before))) taken = before;
      return {before, others: await others()};
    },
    now: () => Date.now(),
  };
}
