// Indexes that the browser keeps: used the next time, cleared when asked, and never used when they were torn, which is
// tried by killing the browser while it writes. CRASHGLASS_KILLS says how often; the default is for every day.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest';
import {launch, project, type Site, serve, shownWhole} from './browser.ts';
import {writeLarge} from './large.ts';
import {type Profiled, startProfiled} from './profiled.ts';

const KILLS = Number(process.env['CRASHGLASS_KILLS'] ?? 4);

let running: Profiled | undefined;
let site: Site;
let folder: string;

beforeAll(async () => {
  site = await serve(project('dist'));
  folder = mkdtempSync(join(tmpdir(), 'crashglass-kept-'));
});
afterEach(() => running?.kill());
afterAll(async () => {
  await site.close();
  rmSync(folder, {recursive: true, force: true});
});

function makeSymbols(variant: number): string {
  const path = join(folder, `desk-${variant}.sym`);
  writeLarge(path, variant);
  return path;
}

/** In the page: notes what workers are asked, and what is said of indexes that are no good. */
function listen(): void {
  const requested: string[] = [];
  const stale: string[] = [];
  Object.assign(globalThis, {requested, stale});
  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (this: Worker, message: {kind: string; request?: {op: string}}) {
    if (message.kind === 'start') {
      this.addEventListener('message', ({data}) => {
        if (data.kind === 'answer' && data.answer.json.includes('"stale":["')) stale.push(data.answer.json);
      });
    }
    if (message.request) requested.push(message.request.op);
    send.call(this, message);
  };
}

/** Parts that an index is written in here, and the steps until it lies under its name: the parts, the end of the file, the move. */
const PARTS = 8;
const STEPS = PARTS + 2;

/** In the page: begins a step of the writing of an index, and never comes back from it. */
function stopWriting(at: number): void {
  let step = 0;
  Object.assign(globalThis, {hasStopped: false});
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    const done = work();
    if (step++ !== at) return done;
    Object.assign(globalThis, {hasStopped: true});
    return new Promise(() => undefined);
  };
  const files = FileSystemFileHandle.prototype as unknown as {
    createWritable(): Promise<{write(data: Blob): Promise<void>; close(): Promise<void>}>;
    move(name: string): Promise<void>;
  };
  const {createWritable, move} = files;
  files.createWritable = async function () {
    const to = await createWritable.call(this);
    const [write, close] = [to.write.bind(to), to.close.bind(to)];
    to.write = async data => {
      const size = Math.ceil(data.size / 8);
      for (let from = 0; from < data.size; from += size) await counted(() => write(data.slice(from, from + size)));
    };
    to.close = () => counted(close);
    return to;
  };
  files.move = function (name) {
    return counted(() => move.call(this, name));
  };
}

/** Gives a fresh page the example's dump with symbols. */
async function give(page: Page, symbols: string): Promise<void> {
  await page.goto(site.url);
  await page.waitForSelector('.local:has-text("0 requests")');
  await page.setInputFiles('input[data-opens=files]', [project('web/example/crash.dmp'), symbols]);
}

/** The same, and returns the shown stack. */
async function open(page: Page, symbols: string): Promise<string> {
  await give(page, symbols);
  await shownWhole(page);
  await page.waitForSelector('.stack-region tr.frame:has-text("desk::available")');
  return (await page.locator('.stack-region').first().innerText()).replace(/\s+/g, ' ');
}

const scans = (page: Page): Promise<number> => page.evaluate("requested.filter(op => op === 'scan').length");
const stale = (page: Page): Promise<string[]> => page.evaluate('stale');

test('a scanned symbol file is not scanned again until the user clears the kept indexes', async () => {
  const browser = await launch();
  const context = await browser.newContext();
  await context.addInitScript(listen);
  const symbols = makeSymbols(0);

  const first = await context.newPage();
  const stack = await open(first, symbols);
  expect(await scans(first)).toBeGreaterThan(0);
  await first.waitForSelector('.stored:has-text("This browser keeps 1 index")');

  const second = await context.newPage();
  expect(await open(second, symbols)).toBe(stack);
  expect(await scans(second)).toBe(0);
  await second.click('.stored button');
  await second.waitForSelector('.stored', {state: 'detached'});

  const third = await context.newPage();
  expect(await open(third, symbols)).toBe(stack);
  expect(await scans(third)).toBeGreaterThan(0);
  await browser.close();
});

test('a page without a private file system keeps indexes as long as it is open', async () => {
  const browser = await launch();
  const page = await browser.newPage();
  await page.addInitScript(listen);
  await page.addInitScript(() => {
    StorageManager.prototype.getDirectory = () => Promise.reject(new DOMException('no', 'SecurityError'));
  });
  await open(page, makeSymbols(0));
  await page.waitForSelector('.stored:has-text("This tab keeps, until it is closed, 1 index")');
  await browser.close();
});

test(`after ${KILLS} kills of the browser while it wrote, no torn index is used`, {
  timeout: 60_000 + KILLS * 30_000,
}, async () => {
  const profile = join(folder, 'profile');
  let expected = '';
  for (let round = 0; round <= KILLS; round++) {
    running = await startProfiled(profile);
    const {context} = running;
    await context.addInitScript(listen);
    if (round > 0) {
      // The index that was being written at the kill is complete or absent.
      const page = await context.newPage();
      const stack = await open(page, makeSymbols(round));
      expected ||= stack;
      expect(stack).toBe(expected);
      expect(await stale(page)).toEqual([]);
      await page.close();
    }
    if (round < KILLS) {
      const page = await context.newPage();
      await page.addInitScript(stopWriting, Math.floor((round * STEPS) / KILLS));
      await give(page, makeSymbols(round + 1));
      await page.waitForFunction(() => Reflect.get(globalThis, 'hasStopped'));
    }
    await running.kill();
  }
});
