// What end-to-end tests stand on: a static server that sends no headers of its own, and the system's Chromium.
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, statSync} from 'node:fs';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {networkInterfaces} from 'node:os';
import {extname, join, normalize} from 'node:path';
import {fileURLToPath} from 'node:url';
import {type Browser, type BrowserContext, chromium, type Page} from 'playwright-core';

/** A path in the project. */
export const project = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The corpus beside the project, where there is one. */
export const corpus = (path: string): string => project(`../shared/corpus/${path}`);

export const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

export interface Site {
  readonly url: string;
  /** Paths asked for, in order. */
  readonly requests: string[];
  /** The same without what a browser asks for by itself: it looks for a new service worker now and then. */
  ownRequests(): string[];
  close(): Promise<void>;
}

/** Serves a folder as the plainest host would: no policy, no isolation, nothing but the type. */
type Own = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Serves a folder. own, if given, answers what it wants to, and says so. */
export async function serve(folder: string, own?: Own): Promise<Site> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    if (own?.(request, response)) return;
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    requests.push(path);
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, {'Content-Type': types[extname(file)] ?? 'application/octet-stream'})
      .end(readFileSync(file));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    requests,
    ownRequests: () => requests.filter(path => path !== '/sw.js'),
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** The browser to test with: CHROMIUM, or what PATH has. */
export function chromiumPath(): string {
  const path = process.env['CHROMIUM'];
  if (path) return path;
  for (const name of names) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], {encoding: 'utf8'}).stdout.trim();
    if (found) return found;
  }
  throw new Error(`no browser: none of ${names.join(', ')} is in PATH, and CHROMIUM is not set`);
}

// Chromium looks for updates and components on its own, which has nothing to do with the page and would blur its request log.
export const quiet = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
];

/** The machine's own address: engines may treat the loopback device in a way of their own. */
export const outside =
  Object.values(networkInterfaces())
    .flat()
    .find(address => address?.family === 'IPv4' && !address.internal)?.address ?? '127.0.0.1';

/** How long a test waits for what it expects, in ms: a machine that does other work, too, must not fail it. */
export const PATIENCE = 90_000;

/** CRASHGLASS_SLOW=6 makes pages six times slower, to find tests that lose a race. */
const SLOW = Number(process.env['CRASHGLASS_SLOW'] ?? 1);

/** A Chromium whose pages are waited for with patience. */
export async function launch(): Promise<Browser> {
  const browser = await chromium.launch({executablePath: chromiumPath(), headless: true, args: quiet});
  browser.on('context', context => {
    context.setDefaultTimeout(PATIENCE);
    if (SLOW > 1) context.on('page', page => void slowDown(page));
  });
  return browser;
}

async function slowDown(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', {rate: SLOW});
}

/** The fragment of the page's URL. page.url() hears of a change later than the page. */
export const hashOf = (page: Page): Promise<string> => page.evaluate(() => location.hash);

/**
 * Waits until all of a dump, or of the table of several, is shown: its parts are drawn one after the other, its stack may wait
 * for symbols that are being read, and a slow machine shows the crashing thread before it has walked the others.
 */
export async function shownWhole(page: Page): Promise<void> {
  const more = ['.end-row:has-text("More to come")', '.group:has-text("not walked yet")'];
  const whole = more.map(sign => `:not(:has(${sign}))`).join('');
  await page.waitForSelector(`#main[aria-busy=false]${whole} :is(.facts, .triage)`);
  await openRaw(page);
}

/** Opens the raw dump, which is closed at first. */
export const openRaw = (page: Page): Promise<void> =>
  page.evaluate(() => document.querySelector('#raw > details')?.setAttribute('open', ''));

/** The page when it is ready, and what it complains of from then on. */
export interface Opened {
  readonly page: Page;
  readonly complaints: string[];
}

/** The page in a context of its own, as on a first visit. Other contexts are closed. */
export async function openFresh(browser: Browser, site: Site): Promise<Opened> {
  for (const context of browser.contexts()) await context.close();
  const context = await browser.newContext({viewport: {width: 1440, height: 900}});
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  return openIn(context, site);
}

/**
 * The page as on a second visit, in a tab of its own: its service worker has the program, which a first visit fetches, unpacks and keeps. All else that a
 * test may have left is cleared.
 */
export async function openAgain(browser: Browser, site: Site): Promise<Opened> {
  const [context, ...others] = browser.contexts();
  if (!context) return openFresh(browser, site);
  for (const other of others) await other.close();
  const opened = await openIn(context, site, async page => {
    for (const old of context.pages()) if (old !== page) await old.close();
    const cdp = await context.newCDPSession(page);
    const storageTypes = 'cookies,local_storage,indexeddb,file_systems,websql';
    await cdp.send('Storage.clearDataForOrigin', {origin: new URL(site.url).origin, storageTypes});
    await cdp.detach();
  });
  return opened;
}

async function openIn(
  context: BrowserContext,
  site: Site,
  before: (page: Page) => Promise<void> = async () => undefined,
): Promise<Opened> {
  const page = await context.newPage();
  await before(page);
  const complaints: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(error.message));
  // The browser asks before open dumps are lost: a test that goes on means it.
  page.on('dialog', dialog => void (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()));
  await page.goto(site.url);
  await page.waitForSelector('.local:has-text("0 requests")');
  site.requests.length = 0;
  return {page, complaints};
}

/** Drops files of this machine on the page as a user does: the browser gets handles of them, unlike from an input. */
export async function dropFiles(page: Page, files: readonly string[]): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const data = {items: [], files: [...files], dragOperationsMask: 1};
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await browser.send('Input.dispatchDragEvent', {type, x: 200, y: 200, data});
  }
  await browser.detach();
}
