// WebKit as Debian has it: WebKitGTK in its MiniBrowser, by WebDriver, on a display of its own.
import {existsSync} from 'node:fs';
import {createServer} from 'node:net';
import {asText} from './call.ts';
import type {EngineUnderTest, Running, Start, Tab} from './engine.ts';
import {keyActions} from './keys.ts';
import {found, type Program, start} from './process.ts';
import {type Element, referenceOf, WebDriver} from './webdriver.ts';

const BROWSERS = ['4.1', '6.0', '4.0'].flatMap(version =>
  ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
    machine => `/usr/lib/${machine}/webkit${version === '6.0' ? '' : '2'}gtk-${version}/MiniBrowser`,
  ),
);

const browser = (): string | undefined => BROWSERS.find(existsSync);
const driver = (): string | null => found('WebKitWebDriver');
const display = (): string | null => found('Xvfb');

export const webkit: EngineUnderTest = {
  name: 'WebKit',
  missing: () =>
    driver() && display() && browser() ? null : 'WebKit is not installed: apt-get install webkit2gtk-driver xvfb',
  start: startWebKit,
};

/** Longer than any test. */
const TIMEOUT = 600_000;

async function startWebKit({environment}: Start = {}): Promise<Running> {
  const screen = await start(
    display() ?? '',
    ['-displayfd', '2', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'],
    /^(\d+)\n/m,
  );
  const settings = {
    ...environment,
    DISPLAY: `:${screen.said}`,
    GDK_BACKEND: 'x11',
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
  };
  try {
    const {running, web, version} = await startDriver(settings);
    const kill = async (): Promise<void> => {
      await running.kill();
      await screen.kill();
    };
    await web.send('POST', '/timeouts', {script: TIMEOUT, pageLoad: TIMEOUT});
    const close = async (): Promise<void> => {
      await web.send('DELETE', '').catch(() => undefined);
      await kill();
    };
    return {version: `WebKitGTK ${version}`, tab: tabOf(web), kill, close};
  } catch (error) {
    await screen.kill();
    throw error;
  }
}

interface Driven {
  readonly running: Program;
  readonly web: WebDriver;
  readonly version: string;
}

// The driver takes a number for its port and no other; another program may have taken it meanwhile.
async function startDriver(settings: Readonly<Record<string, string>>, tries = 3): Promise<Driven> {
  const port = await freePort();
  const running = await start(driver() ?? '', ['-p', String(port)], null, settings);
  const web = new WebDriver(`http://127.0.0.1:${port}`);
  const options = {binary: browser() ?? '', args: ['--automation', '--geometry=1440x1000']};
  try {
    const begun = await untilListening(running, () => web.begin({'webkitgtk:browserOptions': options}));
    return {running, web, version: begun.browserVersion};
  } catch (error) {
    await running.kill();
    if (tries === 1) throw error;
    return startDriver(settings, tries - 1);
  }
}

// The driver says nothing when it listens.
async function untilListening<T>({ended}: Program, begin: () => Promise<T>): Promise<T> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  for (let attempt = 0; ; attempt++) {
    try {
      return await begin();
    } catch (error) {
      if (isOver || attempt === 300 || !(error instanceof TypeError)) throw error;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

const SCRIPT = `const done = arguments[arguments.length - 1];
(FUNCTION)(arguments[0]).then(out => done({out}), error => done({error: String(error)}));`;

// A page from a disk is said to be there before the one before it is gone, and takes the answer away with it.
async function inDocument<R>(call: () => Promise<R>, tries = 3): Promise<R> {
  try {
    return await call();
  } catch (error) {
    if (tries === 0 || !String(error).includes('before the unload event')) throw error;
    return inDocument(call, tries - 1);
  }
}

function tabOf(web: WebDriver): Tab {
  return {
    open: url => web.send('POST', '/url', {url}),
    reload: () => web.send('POST', '/refresh', {}),
    run: async (call, ...args) => {
      const script = SCRIPT.replace('FUNCTION', () => asText(call));
      const request = {script, args: [JSON.stringify(args)]};
      const {out, error} = await inDocument(() =>
        web.send<{out?: string; error?: string}>('POST', '/execute/async', request),
      );
      if (error !== undefined) throw new Error(error);
      return JSON.parse(out ?? 'null');
    },
    press: (...keys) => web.send('POST', '/actions', {actions: keyActions(keys)}),
    choose: async (selector, files) => {
      const element = await web.send<Element>('POST', '/element', {using: 'css selector', value: selector});
      await web.send('POST', `/element/${referenceOf(element)}/value`, {text: files.join('\n')});
    },
    picture: async () => Buffer.from(await web.send<string>('GET', '/screenshot'), 'base64'),
  };
}
