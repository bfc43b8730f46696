// The extension for VS Code: its page in a webview opens what the extension sends, and nothing gets out.
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type Browser, chromium, type Frame, type Page} from 'playwright-core';
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest';
import {onDisk} from '../../editors/vscode/src/disk.ts';
import {converse, inMemory, PART, type Source} from '../../editors/vscode/src/parts.ts';
import {chromiumPath, launch, outside, project, quiet, type Site, serve} from './browser.ts';
import {outcome, type Sink, startSink} from './engines/sink.ts';
import {payloads} from './payloads.ts';
import {Planter} from './plant.ts';
import {connects, notStopped, stopped, stoppedInChromium, stoppedInPage} from './ways.ts';
import {startWebviews, type Webviews} from './webview.ts';

let browser: Browser;
let webviews: Webviews;
let witness: Site;
let page: Page;
let html: string;
let complaints: string[];
let failures: string[];

const dump = readFileSync(project('web/example/crash.dmp'));

beforeAll(async () => {
  if (!existsSync(project('build/vscode/viewer.html')))
    execFileSync('node', ['test/run.js', 'pack/vscode.ts'], {cwd: project('web')});
  html = readFileSync(project('build/vscode/viewer.html'), 'utf8');
  [browser, webviews, witness] = await Promise.all([launch(), startWebviews(), serve(project('web/src'))]);
});
afterAll(() => Promise.all([browser, webviews, witness].map(one => one?.close())));

beforeEach(async () => {
  for (const old of browser.contexts()) await old.close();
  page = await (await browser.newContext({viewport: {width: 1440, height: 900}})).newPage();
  complaints = [];
  failures = [];
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
});

/** Shows a source. What its conversation says when the test has ended and its page is closed is no failure of the next test. */
const show = (source: Source): Promise<Frame> => {
  const here = failures;
  return webviews.open(page, html, webview => converse(webview, source, why => here.push(why)));
};

test('a dump of the disk is shown, after the lock, and nothing is requested', async () => {
  const source = await onDisk(project('web/example/crash.dmp'));
  const locked: boolean[] = [];
  const frame = await webviews.open(page, html, webview => {
    const listening = {
      ...webview,
      postMessage: async (message: Parameters<typeof webview.postMessage>[0]) => {
        locked.push((await page.frames()[2]?.locator('meta[http-equiv="Content-Security-Policy"]').count()) === 2);
        return webview.postMessage(message);
      },
    };
    converse(listening, source, why => failures.push(why));
  });
  await expect.poll(() => frame.locator('.facts').count()).toBe(1);
  await source.close();
  expect({locked, failures, complaints, requested: webviews.site.requests}).toEqual({
    locked: [true, true],
    failures: [],
    complaints: [],
    requested: [],
  });
});

test('the page has the theme of the editor, unless the user chooses one', async () => {
  const frame = await show(inMemory('crash.dmp', dump));
  const scheme = (): Promise<string> => frame.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await expect.poll(scheme).toBe('dark');
  await frame.evaluate(() => document.body.classList.replace('vscode-dark', 'vscode-light'));
  await expect.poll(scheme).toBe('light');
  await frame.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
  await expect.poll(scheme).toBe('dark');
});

test('a file of several parts arrives whole, and one that cannot be read is an error of the editor', async () => {
  const large = Buffer.concat([dump, Buffer.alloc(2 * PART)]);
  const frame = await show(inMemory('crash.dmp', large));
  await expect.poll(() => frame.locator('.facts').count()).toBe(1);
  const broken: Source = {...inMemory('gone.dmp', dump), read: () => Promise.reject(new Error('it is gone'))};
  page = await page.context().newPage();
  await show(broken);
  await expect.poll(() => failures).toEqual(['gone.dmp was not shown: it is gone']);
});

const attempt = (way: unknown, name: string): string =>
  `(async () => { try { await (${way})(${JSON.stringify(`${witness.url}leak/${encodeURIComponent(name)}`)}) } catch {} })()`;

/** Tries a way, and waits for it a little: some never end where they are refused. */
const attempted = (frame: Frame, way: unknown, name: string): Promise<unknown> =>
  Promise.race([frame.evaluate(attempt(way, name)).catch(() => {}), new Promise(resolve => setTimeout(resolve, 2000))]);

test('a hostile dump runs nothing, and no way out of the page or its worker leads out of the webview', async () => {
  const started = page.waitForEvent('worker');
  const planter = new Planter(dump);
  for (const [i, payload] of payloads.slice(0, 4).entries()) planter.module(i, payload);
  const frame = await show(inMemory(payloads[2] ?? '', planter.threadName(0, payloads[1] ?? '').dump));
  await page.exposeFunction('alert', () => Promise.reject(new Error('a script ran')));
  await expect.poll(() => frame.locator('.facts').count()).toBe(1);
  expect(complaints).toEqual([]);
  const worker = await started;
  for (const [name, way] of Object.entries(stopped)) await worker.evaluate(attempt(way, `worker ${name}`));
  const inPage = {...stopped, ...stoppedInPage, ...stoppedInChromium};
  for (const [name, way] of Object.entries(inPage)) await attempted(frame, way, name);
  await new Promise(resolve => setTimeout(resolve, 500));
  expect(witness.requests).toEqual([]);
  // The witness would have seen a request.
  await page.evaluate(url => fetch(url, {mode: 'no-cors'}), `${witness.url}seen`);
  expect(witness.requests.splice(0)).toEqual(['/seen']);
});

// A page in a tab of its own gets out by the last two, as docs/privacy.md says. The frames around a webview stop them.
const {navigation, 'window.open': opening} = notStopped;
test.each(Object.entries({...connects, navigation, 'window.open': opening}))('%s sends nothing', async (name, way) => {
  const frame = await show(inMemory('crash.dmp', dump));
  await expect.poll(() => frame.locator('.facts').count()).toBe(1);
  await attempted(frame, way, name);
  await new Promise(resolve => setTimeout(resolve, 500));
  expect({got: witness.requests.splice(0), pages: page.context().pages().length}).toEqual({got: [], pages: 1});
});

// docs/privacy.md names these, and this test knows when one of them changes. No server sees a dns-prefetch, but Chromium's own log does. TURN, which is
// WebRTC, too, is left out: Chromium may close a call that shares its page with another one.
test('what no policy stops gets out of a webview, too: WebRTC, dns-prefetch and preconnect; a download only connects', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crashglass-'));
  const netLog = join(folder, 'net.json');
  const args = [...quiet, `--log-net-log=${netLog}`, '--net-log-capture-mode=Everything'];
  const logging = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: chromiumPath(),
    args,
  });
  const {navigation: _, 'window.open': __, TURN: ___, 'dns-prefetch': lookUp, ...counted} = notStopped;
  const sinks: [string, Sink][] = [];
  try {
    page = await logging.newPage();
    const frame = await show(inMemory('crash.dmp', dump));
    await expect.poll(() => frame.locator('.facts').count()).toBe(1);
    await frame.evaluate(`(${lookUp})('http://webview.exits.invalid/leak')`);
    for (const [name, way] of Object.entries(counted)) {
      const sink = await startSink(outside);
      sinks.push([name, sink]);
      await Promise.race([
        frame.evaluate(`(async () => { try { await (${way})('${sink.url}') } catch {} })()`).catch(() => {}),
        new Promise(resolve => setTimeout(resolve, 2000)),
      ]);
    }
    const got = (): Record<string, string> => Object.fromEntries(sinks.map(([name, sink]) => [name, outcome(sink)]));
    await expect.poll(got).toEqual({
      WebRTC: 'datagram',
      FederatedCredential: 'nothing',
      preconnect: 'connection',
      download: 'connection',
    });
    await expect.poll(() => readFileSync(netLog, 'utf8').includes('webview.exits.invalid')).toBe(true);
  } finally {
    await logging.close();
    for (const [, sink] of sinks) sink.close();
    rmSync(folder, {recursive: true, force: true});
  }
});
