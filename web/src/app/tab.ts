// The tabs of this page: a unique name for this one that survives a reload, and messages to the others. No message leaves the browser.

const key = 'crashglass.tab';

export interface Tab {
  /** The name; the first call creates it. */
  name(): string;
  /** The name, if there is one. */
  claimed(): string | null;
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
  let claimed: string | null = null;
  const lock = async (name: string, done: (claimed: boolean) => void): Promise<void> => {
    await locks().request(name, {ifAvailable: true}, granted => {
      done(granted !== null);
      return granted ? new Promise<void>(() => undefined) : undefined; // until the tab is closed
    });
  };
  const claim = (name: string): Promise<boolean> => new Promise(done => void lock(name, done).catch(() => done(false)));
  const name = (): string => {
    if (claimed !== null) return claimed;
    const made = `${key}.${crypto.randomUUID()}`;
    storage().setItem(key, made);
    claimed = made;
    void claim(claimed);
    return claimed;
  };
  const others = async (): Promise<ReadonlySet<string>> => {
    const {held = []} = await locks().query();
    return new Set(held.map(lock => lock.name ?? '').filter(other => other !== claimed));
  };
  return {
    name,
    claimed: () => claimed,
    others,
    start: async () => {
      const before = storage().getItem(key);
      if (claimed === null && before !== null && (await claim(before))) claimed = before;
      return {before, others: await others()};
    },
    now: () => Date.now(),
  };
}

const channel = 'crashglass.forgotten';

export interface OtherTabs {
  /** Notifies the other tabs. */
  forgotten(): void;
  /** Calls back when another tab has forgotten all files. */
  whenForgotten(call: () => void): void;
}

/** The other tabs of this page. If the browser has no channels or refuses them to the page, nothing is sent and no call is made. */
export function otherTabs(): OtherTabs {
  const to = open();
  return {
    forgotten: () => to?.postMessage(null),
    whenForgotten: call => to?.addEventListener('message', call),
  };
}

// Firefox throws for a page without storage, for example if it blocks cookies.
function open(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(channel);
  } catch {
    return null;
  }
}
