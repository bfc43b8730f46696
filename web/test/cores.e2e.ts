// ELF cores in the page as it is published, with the real engine: as the kernel writes them, as systemd and distributions
// compress them, and far larger than memory.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest';
import {openAgain, project, shownWhole} from './browser.ts';
import {browser, site} from './built.ts';

let folder: string;
let page: Page;
let complaints: string[];

const run = (program: string, args: readonly string[]): void => {
  const {status, stderr} = spawnSync(program, args, {cwd: project('.'), encoding: 'utf8'});
  expect(status, `${program} ${args.join(' ')}\n${stderr}`).toBe(0);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crashglass-'));
  run('go', ['test', './core/dump/elfcore', '-count=1', '-run', 'CoresForThePage', '-args', '-cores', folder]);
  run('go', ['test', './core/runtimes/v8', '-count=1', '-run', 'NodeForThePage', '-args', '-node', folder]);
}, 180_000);
afterAll(async () => {
  rmSync(folder, {recursive: true});
});

beforeEach(async () => {
  ({page, complaints} = await openAgain(browser, site));
});

const core = (name: string): string => join(folder, name);
const give = (...files: string[]): Promise<void> => page.setInputFiles('input[data-opens=files]', files);
const opened = (): Promise<void> => shownWhole(page);

/** Function and module of each frame. */
const frames = (): Promise<string[]> =>
  page
    .locator('.stack-region tr.frame')
    .evaluateAll(rows =>
      rows.map(row =>
        ['function', 'module'].map(name => row.querySelector(`.${name}`)?.textContent?.trim() ?? '').join(' '),
      ),
    );

/** Files that lie unpacked in the browser, with their sizes. */
const unpacked = (): Promise<string[]> =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const names: string[] = [];
    try {
      const files = await root.getDirectoryHandle('unpacked');
      // biome-ignore lint/suspicious/noExplicitAny: TypeScript does not know of keys yet.
      for await (const name of (files as any).keys()) names.push(name);
    } catch {
      // There is no folder before there is a file.
    }
    return names;
  });

/** The names are of a symbol table, which is less than a line table. */
const whole = ['crash demo', '~ main demo'];

test('a core, and then its program and library by their build IDs', async () => {
  await give(core('core.1234'));
  await opened();
  await expect.poll(() => page.locator('h1').innerText()).toContain('Null pointer');
  await expect.poll(() => frames()).not.toEqual(whole);
  await give(core('demo'), core('lib.so'));
  await expect.poll(frames).toEqual(whole);
  expect(complaints).toEqual([]);
  expect(site.ownRequests()).toEqual([]);
});

test('a core together with its files', async () => {
  await give(core('lib.so'), core('core.1234'), core('demo'));
  await opened();
  await expect.poll(() => frames()).toEqual(whole);
  expect(complaints).toEqual([]);
});

test('the calls of JavaScript in a core of Node, with the receiver, the arguments and a worker', async () => {
  await give(core('node.core'), core('node'));
  await opened();
  await expect.poll(() => page.locator('h1').innerText()).toContain('running in f at a.js:1');
  await expect.poll(frames).toEqual(['node::Abort() node', expect.stringMatching(/^js\sf node$/)]);
  await page.locator('tr.frame', {hasText: 'f'}).last().click();
  await expect
    .poll(() => page.locator('.variable').allInnerTexts())
    .toEqual(
      expect.arrayContaining([
        expect.stringContaining('count'),
        expect.stringContaining('Order {id: 7, name: "pears"}'),
      ]),
    );
  await expect.poll(() => page.locator('#tasks').innerText()).toContain('2 threads, 2 different stacks');
  await expect.poll(() => page.locator('#tasks').innerText()).toMatch(/^Threads of JavaScript/);
  expect(complaints).toEqual([]);
});

test('environment and command line are masked until the user shows them', async () => {
  await give(core('core.1234'));
  await opened();
  await expect.poll(() => page.content()).not.toContain('TOKEN=secret');
});

// One stream is far larger than the limit. All streams take the same code path.
test.each([
  ['zstd', '.zst', 'core.zeros', ['-q', '-k']],
  ['gzip', '.gz', 'core.fewer', ['-k']],
  ['lz4', '.lz4', 'core.fewer', ['-q', '-k', '-m']],
  ['xz', '.xz', 'core.fewer', ['-k', '-1']],
])('a large core in little %s', async (program, ending, name, args) => {
  if (spawnSync(program, ['--version']).error) return; // not on this machine
  run(program, [...args, core(name)]);
  const packed = core(`${name}${ending}`);
  expect(statSync(core(name)).size / statSync(packed).size).toBeGreaterThan(200);
  await give(packed, core('demo'), core('lib.so'));
  await opened();
  await expect.poll(() => frames()).toEqual(whole);
  expect(complaints).toEqual([]);
  rmSync(packed);
});

test('files too large for memory are kept in the private file system, and removed later', async () => {
  run('zstd', ['-q', '-k', '-1', core('core.noise')]);
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(globalThis, {said});
    new MutationObserver(() => said.push(document.querySelector('h1')?.textContent ?? '')).observe(document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  await give(core('core.noise.zst'), core('demo'));
  await opened();
  await expect
    .poll(() => page.evaluate(() => (globalThis as unknown as {said: string[]}).said.join('\n')))
    .toMatch(/^Reading core\.noise, \d+ MB so far/m);
  await expect.poll(() => frames()).toEqual(whole);
  await expect.poll(() => unpacked()).toHaveLength(1);
  await page.reload();
  await page.waitForSelector('.local:has-text("0 requests")');
  await expect.poll(unpacked).toEqual([]);
  expect(complaints).toEqual([]);
}, 120_000);

test('a sparse core of 64 GB with 2,000 mappings opens without being read', async () => {
  expect(statSync(core('core.sparse')).size).toBeGreaterThan(62 * 2 ** 30);
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    const noted = {start: 0, first: 0, linear: 0, beats: 0};
    Object.assign(globalThis, {noted});
    Worker.prototype.postMessage = function (this: Worker, message: {kind: string}) {
      if (message.kind === 'start') {
        this.addEventListener('message', ({data}) => {
          if (data.kind !== 'pong') return;
          noted.linear = Math.max(noted.linear, data.memory);
          noted.beats++;
        });
      }
      post.call(this, message);
    };
    addEventListener('DOMContentLoaded', () => {
      const start = (): void => {
        noted.start ||= performance.now();
      };
      document.addEventListener('change', start, true);
      new MutationObserver(() => {
        if (!noted.first && document.querySelector('.stack-region tr.frame')) noted.first = performance.now();
      }).observe(document.body, {childList: true, subtree: true});
    });
  });
  await page.goto(site.url);
  await page.waitForSelector('.local:has-text("0 requests")');
  const noted = (): Promise<{start: number; first: number; linear: number; beats: number}> => page.evaluate('noted');
  // The worker prepares itself meanwhile, as it does while a file is looked for, and tells of its memory at each beat.
  await expect.poll(async () => (await noted()).beats).toBeGreaterThan(0);
  await give(core('core.sparse'));
  await opened();
  const {beats} = await noted();
  await expect.poll(async () => (await noted()).beats).toBeGreaterThan(beats);
  const {start, first, linear} = await noted();
  expect(first).toBeGreaterThan(start);
  // 22 MiB where nothing else runs. How much of it waits to be collected depends on what else the machine does.
  expect(linear).toBeLessThan(128 * 2 ** 20);
  expect(complaints).toEqual([]);
}, 120_000);
