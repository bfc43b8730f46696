// Source files that the user adds: the lines around a frame, and between instructions.
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import {fixture, type HarnessPage} from './harness/page.ts';
import {texts, useHarness} from './harness/tests.ts';

const harness = useHarness();

const shown = async (): Promise<HarnessPage> => {
  const p = await harness.page();
  await p.open(fixture('threads'));
  return p;
};

const lines = (name: string, count: number): string =>
  Array.from({length: count}, (_, i) => `\t${name} line ${i + 1}`).join('\n');

/** Files as a dropped folder has them: with paths. */
const drop = async (page: Page, files: Readonly<Record<string, string | readonly number[]>>): Promise<void> => {
  await page.waitForSelector('input[data-opens=files]', {state: 'attached'});
  await page.evaluate(all => {
    const data = new DataTransfer();
    for (const [path, content] of Object.entries(all)) {
      const file = new File([typeof content === 'string' ? content : Uint8Array.from(content)], path);
      Object.defineProperty(file, 'webkitRelativePath', {value: path});
      data.items.add(file);
    }
    // A drop that is made by a script has no entries, so that its files come as from a chooser.
    const input = document.querySelector<HTMLInputElement>('input[data-opens=files]');
    if (!input) throw new Error('there is no file chooser');
    Object.defineProperty(input, 'files', {value: data.files, configurable: true});
    input.dispatchEvent(new Event('change'));
    Reflect.deleteProperty(input, 'files');
  }, files);
};

test('the lines around a frame are shown, with the one marked, and follow the selection', async () => {
  const {page, complaints} = await shown();
  await expect
    .poll(() => texts(page, '.source-panel p'))
    .toEqual(['Add threads.cpp or its folder to see the lines Open folder']);
  await drop(page, {'threads.cpp': lines('code', 40)});
  await page.waitForSelector('.toast:has-text("1 source file added")');
  await page.waitForSelector('.source-panel tr');
  await expect.poll(() => texts(page, '.source-panel h3')).toEqual(['Sourcethreads.cpp']);
  await expect.poll(() => texts(page, '.source-panel tr')).toHaveLength(8);
  await expect
    .poll(() => texts(page, '.source-panel tr.crash'))
    .toEqual([
      '◆this line 12 code line 12',
      'Thread 3455 ran mov eax, dword ptr [rax] with rax = 0. That 0 was read one instruction earlier from 0x7fe259618ea8, on this thread’s stack.',
    ]);
  await page.keyboard.press('d');
  await expect
    .poll(() => texts(page, '.code-panel .source'))
    .toEqual(['11 code line 11', '12 code line 12', '13 code line 13']);
  await page.keyboard.press('d');
  // The inlined call that the frame is in has a line of its own.
  await page.click('tr.frame:has-text("work::Queue")');
  await expect.poll(() => texts(page, '.source-panel tr.here')).toEqual(['▶this line 13 code line 13']);
  await page.keyboard.press('m');
  await expect.poll(() => texts(page, '.inspector .source-panel tr')).toHaveLength(40);
  expect(complaints).toEqual([]);
});

test('of several files the one that agrees most is taken, and one is asked for when they agree alike', async () => {
  const {page} = await shown();
  await drop(page, {'x/threads.cpp': lines('x', 40), 'y/threads.cpp': lines('y', 40)});
  await page.waitForSelector('.choices');
  await expect.poll(() => texts(page, '.choices li')).toEqual(['x/threads.cpp', 'y/threads.cpp']);
  await page.click('.choices button:has-text("y/")');
  await page.waitForSelector('.source-panel tr.crash:has-text("y line 12")');
  await drop(page, {'crashes/src/threads.cpp': lines('right', 40)});
  await page.waitForSelector('.source-panel tr.crash:has-text("right line 12")');
});

test('a file of another version says so, and one that is not there is named', async () => {
  const {page} = await shown();
  await drop(page, {'threads.cpp': 'one\ntwo'});
  await page.waitForSelector(
    '.source-panel p:has-text("It has 2 lines, and the frame is at line 12: it is of another version.")',
  );
  await page.keyboard.press('f'); // all frames, the system's too
  await page.click('tr.frame:has-text("start_thread")');
  await expect
    .poll(() => texts(page, '.inspector .source-panel p'))
    .toEqual(['None of the 1 source file given is called pthread_create.c.']);
});

test('UTF-16 and Latin-1 are read, and what a file holds is text', async () => {
  const {page, complaints} = await shown();
  const bytes = (text: string): number[] => [...text].flatMap(c => [c.charCodeAt(0) & 0xff, c.charCodeAt(0) >> 8]);
  await drop(page, {'threads.cpp': [0xff, 0xfe, ...bytes(lines('é', 12))]});
  await page.waitForSelector('.source-panel tr.crash:has-text("é line 12")');
  await drop(page, {
    'threads.cpp': [...lines('<img src=x onerror=alert(1)>\u202e', 11)]
      .map(c => c.charCodeAt(0))
      .concat([10, 0xe9, 0x0a]),
  });
  await drop(page, {
    'threads.cpp': `${lines('<img src=x onerror=alert(1)>\u202e', 11)}\n<script>alert(1)</script>\u200b`,
  });
  await page.waitForSelector('.source-panel tr.crash:has-text("<script>alert(1)</script>")');
  await expect.poll(() => texts(page, '.source-panel tr.crash .text')).toEqual(['<script>alert(1)</script>\\u200b']);
  await expect.poll(() => page.locator('.source-panel img, .source-panel script').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a folder of a hundred thousand files is known by name, and only the one that is needed is read', async () => {
  const {page} = await shown();
  const took = await page.evaluate(() => {
    const read: string[] = [];
    (window as unknown as {read: string[]}).read = read;
    // Not files but what the page uses of them: the browser itself takes its time to make so many.
    const files = Array.from({length: 100_000}, (_, i) => {
      const name = i === 70_000 ? 'threads.cpp' : `file${i}.cpp`;
      const arrayBuffer = (): Promise<ArrayBuffer> => {
        read.push(name);
        return Promise.resolve(new TextEncoder().encode('line\n'.repeat(20)).buffer as ArrayBuffer);
      };
      return {name, webkitRelativePath: `project/folder${i % 200}/${name}`, size: 100, arrayBuffer};
    });
    const input = document.querySelector<HTMLInputElement>('input[data-opens=files]');
    if (!input) throw new Error('there is no file chooser');
    Object.defineProperty(input, 'files', {value: files, configurable: true});
    const start = performance.now();
    input.dispatchEvent(new Event('change'));
    Reflect.deleteProperty(input, 'files');
    return performance.now() - start;
  });
  await page.waitForSelector('.source-panel tr.crash');
  await expect.poll(() => page.evaluate(() => (window as unknown as {read: string[]}).read)).toEqual(['threads.cpp']);
  expect(took).toBeLessThan(5000);
});

test('source that comes first waits for the dump', async () => {
  const {page, open} = await harness.page();
  await drop(page, {'threads.cpp': lines('code', 40)});
  await page.waitForSelector('h2:has-text("1 source file ready. Drop the dump.")');
  await open(fixture('threads'));
  await page.waitForSelector('.source-panel tr.crash');
});
