// The page under pressure: a worker that loops or leaves in the middle of a request, files that shrink or vanish, a full disk, two
// tabs, a hundred drops. Each ends with a sentence, and the page can be used after it.
import {mkdtempSync, readFileSync, rmSync, truncateSync, unlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Browser, BrowserContext, Page, Worker as PageWorker} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {launch, project, type Site, serve, shownWhole} from './browser.ts';

let browser: Browser;
let site: Site;
let context: BrowserContext;
let page: Page;
let worker: PageWorker;
let folder: string;

beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), serve(project('dist'))]);
  folder = mkdtempSync(join(tmpdir(), 'crashglass-pressure-'));
  context = await browser.newContext();
});
afterAll(async () => {
  await Promise.all([browser?.close(), site?.close()]);
  rmSync(folder, {recursive: true, force: true});
});

beforeEach(async () => {
  page = await context.newPage();
  await page.addInitScript(noteMemory);
  worker = await open(page, project('web/example/crash.dmp'));
  site.requests.length = 0;
});
afterEach(async () => {
  for (const open of context.pages()) await open.close();
});

/** In the page: notes how much memory the program of each worker has. */
function noteMemory(): void {
  const memory = {now: 0, beats: 0};
  Object.assign(globalThis, {memory});
  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (this: Worker, message: {kind: string}) {
    if (message.kind === 'start') {
      this.addEventListener('message', ({data}) => {
        if (data.kind !== 'pong') return;
        memory.now = data.memory;
        memory.beats++;
      });
    }
    send.call(this, message);
  };
}

async function open(to: Page, ...files: string[]): Promise<PageWorker> {
  const started = to.waitForEvent('worker');
  await to.goto(site.url);
  const first = await started;
  await to.waitForSelector('.local:has-text("0 requests")');
  await to.setInputFiles('input[data-opens=files]', files);
  await shownWhole(to);
  await expect.poll(() => to.locator('main').innerText()).not.toMatch(/^Reading$/m);
  return first;
}

const junk = (name: string): {name: string; mimeType: string; buffer: Buffer} => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from('hello'),
});

const desk = {name: 'desk.sym', mimeType: 'text/plain', buffer: readFileSync(project('web/example/desk.sym'))};

const give = (to: Page, files: Parameters<Page['setInputFiles']>[1]): Promise<void> =>
  to.setInputFiles('input[type=file] >> nth=0', files);

/** Asks the engine something, and looks for what was there before. */
async function usable(to: Page, name = 'after.txt'): Promise<void> {
  await give(to, junk(name));
  await to.getByText(name).first().waitFor();
  await expect.poll(() => to.locator('.stack-region tr.frame').count()).toBeGreaterThan(0);
}

test('a worker that loops is said to be silent, and Cancel ends it', async () => {
  await worker.evaluate('globalThis.crashglass = () => { for (;;); }');
  await give(page, junk('first.txt'));
  await page
    .getByText(/no progress for \d+ s/)
    .first()
    .waitFor();
  const next = page.waitForEvent('worker');
  await page.getByRole('button', {name: 'Cancel'}).first().click();
  await next;
  await usable(page);
  expect(site.ownRequests()).toEqual([]);
});

test.each([
  [
    'closes itself',
    'globalThis.crashglass = () => { close(); const end = Date.now() + 300; while (Date.now() < end); }',
  ],
  ['throws', "globalThis.crashglass = () => { setTimeout(() => { throw new Error('x') }); }"],
  ['runs out of stack', 'globalThis.crashglass = function deeper() { deeper(); }'],
])('a worker that %s in the middle of a request is replaced, and the page says so', async (_, script) => {
  await worker.evaluate(script);
  const next = page.waitForEvent('worker');
  await give(page, junk('first.txt'));
  await next;
  await page.getByText('What was shown is still here').first().waitFor();
  await usable(page);
});

test.each([
  ['shrinks', (path: string) => truncateSync(path, 1000)],
  ['vanishes', (path: string) => unlinkSync(path)],
])('a file that %s after it was opened costs what is read of it', async (how, change) => {
  const path = join(folder, `${how}.dmp`);
  // A byte more than the example: the same file twice is one dump.
  writeFileSync(path, Buffer.concat([readFileSync(project('web/example/crash.dmp')), Buffer.alloc(1)]));
  await give(page, path);
  await page.getByText(`${how}.dmp`).first().waitFor();
  change(path);
  await page.keyboard.press('s');
  await page.click('#share-popover button:has-text("Make")'); // which looks through all of it
  await page
    .locator('#share')
    .getByText(/could not be looked through|dump only|No names of people/)
    .first()
    .waitFor();
  await page.locator('#share').getByRole('button', {name: 'Close'}).click();
  await usable(page);
});

test('on a full disk no index is kept, and no message appears', async () => {
  const other = await context.newPage();
  await other.addInitScript(() => {
    const full = (): Promise<never> => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    Object.assign(FileSystemFileHandle.prototype, {createWritable: full});
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  const complaints: string[] = [];
  other.on('pageerror', error => complaints.push(String(error)));
  await open(other, project('web/example/crash.dmp'), project('web/example/desk.sym'));
  await other.getByText('desk::available').first().waitFor();
  await usable(other);
  expect(complaints).toEqual([]);
});

test('two tabs are independent: the death of a worker affects its own tab only', async () => {
  const other = await context.newPage();
  const second = await open(other, project('web/example/crash.dmp'), project('web/example/desk.sym'));
  const next = other.waitForEvent('worker');
  await second.evaluate('close()').catch(() => undefined);
  await next;
  await usable(page);
  await usable(other);
  await other.close();
  await usable(page, 'later.txt');
  expect(page.workers().length).toBeGreaterThan(0);
});

/** How much memory the page and the program have. */
async function memoryOf(page: Page): Promise<() => Promise<number>> {
  const cdp = await context.newCDPSession(page);
  const noted = (): Promise<{now: number; beats: number}> => page.evaluate('memory');
  return async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    const {usedSize} = await cdp.send('Runtime.getHeapUsage');
    const {beats} = await noted();
    await expect.poll(async () => (await noted()).beats).toBeGreaterThan(beats); // a beat tells of the program's memory
    return usedSize + (await noted()).now;
  };
}

test('a hundred dumps that are opened and closed leave no memory behind', {timeout: 600_000}, async () => {
  const example = readFileSync(project('web/example/crash.dmp'));
  const turn = async (number: number): Promise<void> => {
    const name = `${number}.dmp`;
    await give(page, {name, mimeType: '', buffer: Buffer.concat([example, Buffer.alloc(number)])}); // of another hash
    await page.locator('.dump .cut', {hasText: name}).waitFor();
    await expect.poll(() => page.locator('main').getAttribute('aria-busy')).toBe('false');
    await page.keyboard.press('Escape');
    await page.locator('#more-popover button', {hasText: `Close ${name}`}).dispatchEvent('click');
    await page.locator('.dump .cut', {hasText: 'crash.dmp'}).waitFor();
  };
  const used = await memoryOf(page);
  for (let i = 1; i <= 10; i++) await turn(i);
  const before = await used();
  for (let i = 11; i <= 110; i++) await turn(i);
  const after = await used();
  process.stdout.write(`100 dumps: ${((after - before) / 2 ** 20).toFixed(1)} MiB more than before\n`);
  expect(after - before).toBeLessThan(16 * 2 ** 20);
  await usable(page);
});

test('a hundred drops leave no memory behind', {timeout: 180_000}, async () => {
  const used = await memoryOf(page);
  for (let i = 0; i < 10; i++) await give(page, [junk(`${i}.txt`), desk]);
  await usable(page);
  const before = await used();
  for (let i = 10; i < 110; i++) await give(page, [junk(`${i}.txt`), desk]);
  await page.getByText('109.txt').first().waitFor();
  const after = await used();
  process.stdout.write(`100 drops: ${((after - before) / 2 ** 20).toFixed(1)} MiB more than before\n`);
  expect(after - before).toBeLessThan(32 * 2 ** 20);
});
