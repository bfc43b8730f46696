// Every way out that the platform has, tried once the page is locked; the witness is the browser's own network log. What a
// policy cannot stop is expected to get out: docs/privacy.md and the panel name exactly that, and this test knows when it changes.
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type BrowserContext, chromium, type Page, type Worker} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {headers} from '../pack/hosts.ts';
import {chromiumPath, PATIENCE, project, quiet, type Site, serve} from './browser.ts';
import {
  connects,
  needsHeader,
  notStopped,
  signals,
  stopped,
  stoppedInChromium,
  stoppedInPage,
  type Ways,
} from './ways.ts';

/** Stand in memory and symbols of what is opened, and in nothing that leaves. */
const canaries = ['canary-in-a-dump-7f3a', 'canary_in_symbols_91c2'];

// A download from a host that cannot be reached shows an error in place of the page: the three engines have it from one that can.
const {download: _, ...lasting} = notStopped;
/** All that gets out of a page whose host sends no headers, before it is left. */
const open: Ways = {...needsHeader, ...signals, ...lasting};

let site: Site;
let folder: string;
let context: BrowserContext;
let page: Page;
let worker: Worker;
let log = '';
let shown = '';

const hostOf = (name: string, from: string): string =>
  `way-${name.replace(/[^a-z]/gi, '')}-${from}.exits.invalid`.toLowerCase();

async function attempt(target: Page | Worker, from: string, ways: Ways): Promise<void> {
  for (const [name, way] of Object.entries(ways)) {
    const url = `http://${hostOf(name, from)}:${new URL(site.url).port}/leak`;
    await (target as Page).evaluate(`(async () => { try { await (${way})(${JSON.stringify(url)}) } catch {} })()`);
  }
}

beforeAll(async () => {
  site = await onLocalhost(serve(project('dist')));
  folder = mkdtempSync(join(tmpdir(), 'crashglass-'));
  const netLog = join(folder, 'net.json');
  const args = [...quiet, `--log-net-log=${netLog}`, '--net-log-capture-mode=Everything'];
  context = await chromium.launchPersistentContext(join(folder, 'profile'), {executablePath: chromiumPath(), args});
  await context.grantPermissions(['notifications']);
  page = await context.newPage();
  const started = page.waitForEvent('worker');
  await page.goto(site.url);
  worker = await started;
  await page.waitForSelector('.local:has-text("0 requests")');
  site.requests.length = 0;
  await page.setInputFiles('input[data-opens=files]', planted());
  await page.waitForSelector('.facts');
  shown = JSON.stringify([page.url(), await page.title(), await storage(page)]);
  await attempt(worker, 'worker', stopped);
  await attempt(page, 'page', {...stopped, ...stoppedInPage, ...stoppedInChromium, ...connects});
  // The last attempt does connect. Once it is in the log, all earlier ones would be, too.
  await logged(netLog, Object.keys(connects));
  expect(site.requests.filter(path => path !== '/sw.js')).toEqual([]);
  await attempt(page, 'page', open);
  await logged(netLog, Object.keys(open));
  await attempt(await another(site), 'kept', needsHeader);
  const careful = await onLocalhost(serve(project('dist'), withHeaders));
  const guarded = await another(careful);
  await attempt(guarded, 'header', {...needsHeader, ...signals});
  await logged(netLog, Object.keys(signals), 'header');
  await context.close(); // which writes the log
  await careful.close();
  log = readFileSync(netLog, 'utf8');
});

afterAll(async () => {
  await context?.close().catch(() => {});
  await site.close();
  rmSync(folder, {recursive: true, force: true});
});

/** WebAuthn works on a host with a name only. */
const onLocalhost = async (serving: Promise<Site>): Promise<Site> => {
  const site = await serving;
  return {...site, url: site.url.replace('127.0.0.1', 'localhost')};
};

/** Adds what hosts are told to send. */
function withHeaders(_: IncomingMessage, response: ServerResponse): boolean {
  const all = Object.entries(headers(readFileSync(project('dist/index.html'), 'utf8')));
  for (const [name, value] of all) response.setHeader(name, value);
  return false;
}

/** The page in a tab of its own, after it has locked itself. */
async function another({url}: Site): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector('.local:has-text("0 requests")');
  return page;
}

/** Waits until the browser has written of the hosts of all these ways of the page. */
const logged = (netLog: string, ways: readonly string[], from = 'page'): Promise<void> =>
  vi.waitFor(
    () => {
      const log = readFileSync(netLog, 'utf8');
      expect(ways.filter(name => !log.includes(hostOf(name, from)))).toEqual([]);
    },
    {timeout: PATIENCE, interval: 100},
  );

/** The example with a canary behind its end, where dumps hold whatever there was, and symbols with one for a name. */
function planted(): {name: string; mimeType: string; buffer: Buffer}[] {
  const mimeType = 'application/octet-stream';
  const dump = Buffer.concat([readFileSync(project('web/example/crash.dmp')), Buffer.from(canaries[0] ?? '')]);
  const symbols = readFileSync(project('web/example/desk.sym'), 'utf8').replaceAll(
    'desk::available',
    canaries[1] ?? '',
  );
  return [
    {name: 'crash.dmp', mimeType, buffer: dump},
    {name: 'desk.sym', mimeType, buffer: Buffer.from(symbols)},
  ];
}

/** All that the page keeps, but for the two caches that it declares: its own files, and indexes of large symbol files. */
const storage = (of: Page): Promise<unknown> =>
  of.evaluate(async () => [
    Object.entries(localStorage),
    Object.entries(sessionStorage),
    document.cookie,
    (await indexedDB.databases()).map(({name}) => name),
    (await caches.keys()).filter(name => !/^crashglass-[0-9a-f]{16}$/.test(name)),
    history.state,
  ]);

/** Whether a request to a host was begun, by the kinds of events that the log itself explains. */
function requested(host: string): boolean {
  const {constants, events} = JSON.parse(log) as {
    constants: {logEventTypes: Record<string, number>};
    events: {type: number; params?: unknown}[];
  };
  const begun = constants.logEventTypes['URL_REQUEST_START_JOB'];
  return events.some(({type, params}) => type === begun && (JSON.stringify(params) ?? '').includes(host));
}

describe('after the lock, by the browser\u2019s own log', () => {
  test.each(Object.keys({...stopped, ...stoppedInPage, ...stoppedInChromium}))('the page has no %s', name => {
    expect(log).not.toContain(hostOf(name, 'page'));
  });

  test.each(Object.keys(stopped))('the worker has no %s', name => {
    expect(log).not.toContain(hostOf(name, 'worker'));
  });

  test.each(Object.keys(connects))('a %s sends nothing; its host is connected to, as docs/privacy.md says', name => {
    expect(requested(hostOf('navigation', 'page'))).toBe(true);
    expect(requested(hostOf(name, 'page'))).toBe(false);
    expect(log).toContain(hostOf(name, 'page'));
    expect(readFileSync(project('docs/privacy.md'), 'utf8')).toContain(name);
  });

  test.each(Object.keys(needsHeader))('a header stops %s, from the host or from the service worker', name => {
    expect(['header', 'kept'].filter(from => log.includes(hostOf(name, from)))).toEqual([]);
  });

  // These get out. The log shows them, which also shows that it would have shown the others.
  test.each(Object.keys(open))('%s gets out of a page without headers, as docs/privacy.md says', name => {
    expect(log).toContain(hostOf(name, 'page'));
    expect(readFileSync(project('docs/privacy.md'), 'utf8')).toContain(name);
  });

  test('no text of the opened files is in the log, an address, a title or storage', () => {
    for (const canary of canaries) {
      for (const form of [
        canary,
        Buffer.from(canary).toString('hex'),
        Buffer.from(canary).toString('base64').slice(0, 20),
      ]) {
        expect(log).not.toContain(form);
        expect(shown).not.toContain(form);
      }
    }
  });
});
