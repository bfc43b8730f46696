// The worker's death: whatever the reason, another one stands in its place, what was shown stays, and
// what is asked next is answered, all without a single request.
import type {Browser, Page, Worker} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {launch, project, type Site, serve, shownWhole} from './browser.ts';

let browser: Browser;
let site: Site;
let page: Page;
let worker: Worker;

beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), serve(project('dist'))]);
});
afterAll(() => Promise.all([browser?.close(), site?.close()]));

beforeEach(async () => {
  page = await browser.newPage();
  const started = page.waitForEvent('worker');
  await page.goto(site.url);
  worker = await started;
  await page.getByRole('button', {name: 'Null pointer'}).first().click();
  await shownWhole(page);
  // A worker that is at work is given more time to answer.
  await expect.poll(() => page.locator('main').innerText()).not.toMatch(/^Reading$/m);
  site.requests.length = 0;
});
afterEach(() => page.close());

/** Asks the engine something, and looks for what was there before. */
async function stillAnswers(): Promise<void> {
  const file = {name: 'not-a-dump.txt', mimeType: 'text/plain', buffer: Buffer.from('hello')};
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.getByText('not-a-dump.txt').first().waitFor();
  await expect.poll(() => page.getByText('desk::available').count()).toBeGreaterThan(0);
  expect(site.ownRequests()).toEqual([]);
}

test.each([
  ['throws an error', "setTimeout(() => { throw new Error('killed') })"],
  ['runs out of stack', 'setTimeout(function deeper() { deeper() })'],
  ['ends without a word', 'close()'],
])('a worker that %s is replaced', async (_, script) => {
  const next = page.waitForEvent('worker');
  await worker.evaluate(script).catch(() => undefined); // a worker that is gone does not answer
  await next;
  await stillAnswers();
});

test('a worker warms up while it is idle, and stops when work arrives', async () => {
  const other = await browser.newPage();
  await other.addInitScript(() => {
    const asked: string[] = [];
    Object.assign(globalThis, {asked});
    const send = Worker.prototype.postMessage;
    let first: Worker | undefined; // the others only scan
    Worker.prototype.postMessage = function (this: Worker, message: {request?: {op: string}}) {
      first ??= this;
      if (message.request && this === first) asked.push(message.request.op);
      send.call(this, message);
    };
  });
  await other.goto(site.url);
  const asked = (count: number) => other.waitForFunction(n => Reflect.get(globalThis, 'asked').length >= n, count);
  await asked(1);
  await expect.poll(() => other.locator('tr.frame').count()).toBe(0); // the off-screen rendering is not visible
  await other.getByRole('button', {name: 'Null pointer'}).first().click();
  await other.getByText('desk::available').first().waitFor();
  const ops: string[] = await other.evaluate('asked');
  const first = ops.indexOf('open');
  expect(first).toBeGreaterThan(0);
  expect(ops.slice(0, first).every(op => op === 'warm')).toBe(true);
  expect(ops.slice(first)).not.toContain('warm');
  await other.close();
});
