// What a test needs of a browser, whichever it is: a page, its keys, its files and its pictures.

/** One page of a browser. */
export interface Tab {
  /** Opens an address and waits until the page is loaded. */
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Calls a function in the page and awaits what it returns. The function is sent as text, the rest as JSON. */
  run<A extends readonly unknown[], R>(call: (...args: A) => R | Promise<R>, ...args: A): Promise<R>;
  /** Presses keys one after the other, by the names that KeyboardEvent.key has. */
  press(...keys: readonly string[]): Promise<void>;
  /** Gives files to a file input, as the browser's own dialog would. */
  choose(selector: string, paths: readonly string[]): Promise<void>;
  /** A picture as PNG. */
  picture(): Promise<Buffer>;
}

/** A browser that runs. */
export interface Running {
  readonly version: string;
  readonly tab: Tab;
  /** Ends it as its user would. */
  close(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

/** How a browser is started. */
export interface Start {
  /** The folder of its profile, which stays when the browser is closed; a fresh one that goes with it otherwise. */
  readonly profile?: string;
  /** More of its environment, and of its settings in its own words. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface EngineUnderTest {
  readonly name: 'Chromium' | 'Firefox' | 'WebKit';
  /** What is missing to test in it; null if all is there. */
  missing(): string | null;
  start(options?: Start): Promise<Running>;
}
