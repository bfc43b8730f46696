// Indexes that the browser keeps: used the next time, cleared when asked, and never used when they were torn, which is
// tried by killing the browser while it writes. CRASHGLASS_KILLS says how often; the default is for every day.
import {type ChildProcess, spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type Browser, chromium, type Page} from 'playwright-core';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {chromiumPath, launch, project, quiet, type Site, serve} from './browser.ts';
import {writeLarge} from './large.ts';

const KILLS = Number(process.env['CRASHGLASS_KILLS'] ?? 4);

/** A browser that has to be started again and again is not fast where other tests run beside it; in ms. */
const PATIENCE = 60_000;

/** How long an index takes to be written here, at least, in ms. */
const WRITING = 600;

let site: Site;
let folder: string;

beforeAll(async () => {
  site = await serve(project('dist'));
  folder = mkdtempSync(join(tmpdir(), 'crashglass-kept-'));
});
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
  const asked: string[] = [];
  const stale: string[] = [];
  Object.assign(globalThis, {asked, stale});
  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (this: Worker, message: {kind: string; request?: {op: string}}) {
    if (message.kind === 'start') {
      this.addEventListener('message', ({data}) => {
        if (data.kind === 'answer' && data.answer.json.includes('"stale":["')) stale.push(data.answer.json);
      });
    }
    if (message.request) asked.push(message.request.op);
    send.call(this, message);
  };
}

/** In the page: makes writing so slow that a kill falls into it, and says where it is. */
function slowly(): void {
  const steps: string[] = [];
  Object.assign(globalThis, {steps});
  const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
  const files = FileSystemFileHandle.prototype as unknown as {
    createWritable(): Promise<{write(data: Blob): Promise<void>; close(): Promise<void>}>;
    move(name: string): Promise<void>;
  };
  const {createWritable, move} = files;
  files.createWritable = async function () {
    const to = await createWritable.call(this);
    const [write, close] = [to.write.bind(to), to.close.bind(to)];
    to.write = async data => {
      steps.push('writing');
      const step = Math.ceil(data.size / 8);
      for (let at = 0; at < data.size; at += step) {
        await write(data.slice(at, at + step));
        await sleep(60);
      }
    };
    to.close = async () => {
      await sleep(100);
      await close();
    };
    return to;
  };
  files.move = async function (name) {
    await sleep(100);
    await move.call(this, name);
    steps.push('moved');
  };
}

/** Gives a fresh page the example's dump with symbols. */
async function give(page: Page, symbols: string): Promise<void> {
  page.setDefaultTimeout(PATIENCE);
  await page.goto(site.url);
  await page.waitForSelector('.local:has-text("0 requests")');
  await page.setInputFiles('input[data-opens=files]', [project('web/example/crash.dmp'), symbols]);
}

/** The same, and returns the shown stack. */
async function open(page: Page, symbols: string): Promise<string> {
  await give(page, symbols);
  await page.waitForSelector('.stack-region tr.frame:has-text("desk::available")');
  return (await page.locator('.stack-region').first().innerText()).replace(/\s+/g, ' ');
}

const scans = (page: Page): Promise<number> => page.evaluate("asked.filter(op => op === 'scan').length");
const stale = (page: Page): Promise<string[]> => page.evaluate('stale');

test('a symbol file that was scanned is not scanned again, until what is kept is cleared', {
  timeout: 3 * PATIENCE,
}, async () => {
  const browser = await launch();
  const context = await browser.newContext();
  await context.addInitScript(listen);
  const symbols = makeSymbols(0);

  const first = await context.newPage();
  const stack = await open(first, symbols);
  expect(await scans(first)).toBeGreaterThan(0);
  await first.waitForSelector('.kept:has-text("This browser keeps 1 index")');

  const second = await context.newPage();
  expect(await open(second, symbols)).toBe(stack);
  expect(await scans(second)).toBe(0);
  await second.click('.kept button');
  await second.waitForSelector('.kept', {state: 'detached'});

  const third = await context.newPage();
  expect(await open(third, symbols)).toBe(stack);
  expect(await scans(third)).toBeGreaterThan(0);
  await browser.close();
});

test('a page without a private file system keeps indexes as long as it is open', {timeout: PATIENCE}, async () => {
  const browser = await launch();
  const page = await browser.newPage();
  await page.addInitScript(listen);
  await page.addInitScript(() => {
    StorageManager.prototype.getDirectory = () => Promise.reject(new DOMException('no', 'SecurityError'));
  });
  await open(page, makeSymbols(0));
  await page.waitForSelector('.kept:has-text("This tab keeps, until it is closed, 1 index")');
  await browser.close();
});

/** A browser of our own, with a folder that outlives it. */
async function start(profile: string): Promise<{browser: Browser; process: ChildProcess}> {
  const args = [...quiet, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'];
  const process = spawn(chromiumPath(), args, {stdio: ['ignore', 'ignore', 'pipe'], detached: true});
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    process.stderr?.on('data', data => {
      said += data;
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    process.on('exit', () => reject(new Error(`the browser did not start: ${said}`)));
  });
  return {browser: await chromium.connectOverCDP(url, {isLocal: true}), process};
}

async function kill({process: {pid}}: {process: ChildProcess}, ended: Promise<unknown>): Promise<void> {
  if (pid) process.kill(-pid, 'SIGKILL'); // all of its processes
  await ended;
}

test(`after ${KILLS} kills of the browser while it wrote, no torn index is used`, {
  timeout: 60_000 + KILLS * 30_000,
}, async () => {
  const profile = join(folder, 'profile');
  let hits = 0;
  let expected = '';
  for (let round = 0; round <= KILLS; round++) {
    const running = await start(profile);
    const ended = new Promise(resolve => running.process.on('exit', resolve));
    const context = running.browser.contexts()[0];
    if (!context) throw new Error('no context');
    await context.addInitScript(listen);
    if (round > 0) {
      // What the last round was writing when it was killed is there as a whole, or not at all.
      const page = await context.newPage();
      const stack = await open(page, makeSymbols(round));
      expected ||= stack;
      expect(stack).toBe(expected);
      expect(await stale(page)).toEqual([]);
      await page.close();
    }
    if (round < KILLS) {
      const page = await context.newPage();
      await page.addInitScript(slowly);
      await give(page, makeSymbols(round + 1));
      await page.waitForFunction(() => Reflect.get(globalThis, 'steps').includes('writing'));
      await page.waitForTimeout((WRITING * round) / KILLS);
      if (!(await page.evaluate("steps.includes('moved')"))) hits++;
    }
    await kill(running, ended);
  }
  expect(hits).toBeGreaterThan(KILLS / 2);
  process.stdout.write(`${hits} of ${KILLS} kills fell into the writing of an index\n`);
});
