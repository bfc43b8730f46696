// The page as it is published, with the real engine: dumps and symbols in, frames out.
import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {beforeEach, describe, expect, test} from 'vitest';
import {corpus, openAgain, shownWhole} from './browser.ts';
import {browser, example, exampleSymbols, site} from './built.ts';

let page: Page;
let complaints: string[];

beforeEach(async () => {
  ({page, complaints} = await openAgain(browser, site));
});

const give = (...files: string[]): Promise<void> => page.setInputFiles('input[data-opens=files]', files);

/** The crashing thread's rows: function, source, module, found by. */
const frames = (): Promise<string[][]> =>
  page
    .locator('.stack-region tr.frame')
    .evaluateAll(rows =>
      rows.map(row =>
        ['function', 'source', 'module', 'found'].map(
          name => row.querySelector(`.${name}`)?.textContent?.replace(/\s+/g, ' ').trim() ?? '',
        ),
      ),
    );

const text = async (selector: string): Promise<string> =>
  (await page.locator(selector).first().innerText()).replace(/\s+/g, ' ').trim();

const noRequests = async (): Promise<void> => {
  expect(site.ownRequests()).toEqual([]);
  await expect.poll(() => text('.local')).toBe('Local, 0 requests');
};

const desk = [
  ['desk::available(desk::Book const*)', 'crash.cpp:33', 'desk', 'inlined'],
  ['desk::find(desk::Request const&)', 'crash.cpp:36', 'desk', 'inlined'],
];

describe('the example', () => {
  test('shows its code and any byte of it', async () => {
    await page.click('button:has-text("Null pointer")');
    await expect.poll(() => text('.source-panel .crash .line')).toBe('33');
    await page.keyboard.press('d');
    await page.waitForSelector('.code-panel tr.crash');
    await expect.poll(() => text('.code-panel .file')).toBe('crash.cpp');
    await page.click('tr.frame >> nth=3');
    await page.waitForSelector('.code-panel tr.return');
    await page.fill('#goto', 'rsp');
    await page.press('#goto', 'Enter');
    await page.waitForSelector('#hex:focus');
    await page.waitForSelector('.hex .caret:not(.absent)');
    const here = (await text('#hex-caret code')).slice(2);
    const bytes = await page.locator('.hex-row:has(.caret) .cells > span').allInnerTexts();
    await page.fill('#find-bytes', bytes.slice(8).join(' '));
    await page.press('#find-bytes', 'Enter');
    await page.waitForSelector('.places li');
    const row = BigInt(`0x${here}`) - (BigInt(`0x${here}`) % 16n);
    await expect.poll(() => page.locator('.places li').allInnerTexts()).toContain((row + 8n).toString(16));
    expect(complaints).toEqual([]);
    await noRequests();
  });

  test('is shown with functions, files and lines, without any request', async () => {
    await page.click('button:has-text("Null pointer")');
    await page.waitForSelector('.stack-region');
    await expect.poll(async () => (await frames()).slice(0, 2)).toEqual(desk);
    await page.keyboard.press('f'); // all frames, the system's too
    await expect
      .poll(async () => (await frames()).at(-1)?.slice(0, 3))
      .toEqual(['__clone3', 'clone3.S:81', 'libc.so.6']);
    await expect.poll(() => text('h1')).toMatch(/^Null pointer .*in desk::available at crash\.cpp:33$/);
    await noRequests();
    expect(complaints).toEqual([]);
  });

  test('dropped with its symbols', async () => {
    await give(example('crash.dmp'), ...exampleSymbols);
    await page.waitForSelector('.stack-region');
    await expect.poll(async () => (await frames()).slice(0, 2)).toEqual(desk);
    await noRequests();
  });

  test('first the dump, then the symbols', async () => {
    await give(example('crash.dmp'));
    await shownWhole(page);
    await expect.poll(async () => (await frames())[0]?.[0]).toMatch(/^desk \+ 0x/);
    await page.click('.wanted button.who:has-text("desk")');
    await expect.poll(() => text('.wanted')).toMatch(/desk\/[0-9A-F]{33}\/desk\.sym/);
    await give(...exampleSymbols);
    await page.click('.outcome button:has-text("Show")'); // the click on the name means that the user reads
    await expect.poll(async () => (await frames()).slice(0, 2)).toEqual(desk);
    await noRequests();
  });

  test('first the symbols, then the dump', async () => {
    await give(...exampleSymbols);
    await page.waitForSelector('h2:has-text("3 symbol files ready. Drop the dump.")');
    await give(example('crash.dmp'));
    await page.waitForSelector('.stack-region');
    await expect.poll(async () => (await frames()).slice(0, 2)).toEqual(desk);
  });

  test('explains a frame and shows the words that it was found by', async () => {
    await page.click('button:has-text("Null pointer")');
    await page.waitForSelector('.stack-region');
    await page.click('tr.frame:has-text("desk::clerk")');
    await page.click('#tab-why');
    await page.waitForSelector('.why li');
    await expect.poll(() => text('.why li')).toMatch(/call frame info.* accepted .*\.cfa/);
    await page.click('#tab-stack');
    await page.waitForSelector('.words-panel .returns');
    await expect.poll(() => text('.words-panel .returns')).toMatch(/return to .*, frame \d+/);
    await page.click('#tab-registers');
    await expect.poll(() => page.locator('.registers dt').count()).toBeGreaterThan(5);
  });

  test('copies the report in each format', async () => {
    await page.click('button:has-text("Null pointer")');
    await shownWhole(page);
    for (const format of ['text', 'Markdown', 'machine text']) {
      await page.evaluate(() => navigator.clipboard.writeText(''));
      await page.click('#share-button');
      await page.click(`#share-popover button:has-text("Copy the report as ${format}")`);
      await page.waitForSelector(`.toast:has-text("Report copied as ${format}")`);
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('desk::available');
    }
  });
});

describe('files that are no dumps', () => {
  const bad: readonly (readonly [string, Buffer])[] = [
    ['empty.dmp', Buffer.alloc(0)],
    ['notes.txt', Buffer.from('hello, this is a text file\n')],
    ['kernel.dmp', Buffer.concat([Buffer.from('PAGEDU64'), Buffer.alloc(8192)])],
    [
      'core',
      Buffer.concat([
        Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
        Buffer.alloc(8),
        Buffer.from([4, 0, 0x3e, 0]),
        Buffer.alloc(44),
      ]),
    ],
    ['app.ips', Buffer.from('{"app_name":"x","timestamp":"2026"}\n{"crashReporterKey":"y"}')],
  ];

  test('are reported by their kind, and the open dump stays', async () => {
    await page.click('button:has-text("Null pointer")');
    await shownWhole(page);
    for (const [name, buffer] of bad) {
      await page.setInputFiles('input[data-opens=files]', {name, mimeType: '', buffer});
      const why = page.locator(`.problems dt:text-is("${name}") + dd`).first();
      await expect.poll(async () => (await why.innerText()).length, {message: name}).toBeGreaterThan(10);
      await expect.poll(async () => (await frames()).slice(0, 2)).toEqual(desk);
    }
    expect(complaints).toEqual([]);
  });

  test('mismatched symbols name the module that they would fit', async () => {
    await give(example('crash.dmp'));
    await page.waitForSelector('.stack-region');
    const other = 'MODULE Linux x86_64 00000000000000000000000000000000A desk\nFUNC 1000 10 0 wrong\n';
    await page.setInputFiles('input[data-opens=files]', {name: 'desk.sym', mimeType: '', buffer: Buffer.from(other)});
    await page.waitForSelector('.wanted .state.wrong');
    await expect.poll(() => text('.wanted > li:has(.state.wrong)')).toContain('00000000000000000000000000000000A');
    await expect.poll(async () => (await frames()).flat()).not.toContain('wrong');
  });

  test('mismatched symbols name frames once forced, each marked, until they are turned off', async () => {
    await give(example('crash.dmp'));
    await shownWhole(page);
    const before = await frames();
    const other = 'MODULE Linux x86_64 00000000000000000000000000000000A desk\nFUNC 0 ffffff 0 likely_wrong\n';
    await page.setInputFiles('input[data-opens=files]', {name: 'desk.sym', mimeType: '', buffer: Buffer.from(other)});
    await page.getByRole('button', {name: 'Use anyway: mismatched symbols for desk'}).click();
    await page.getByText('likely_wrong').first().waitFor();
    const forced = page.locator('tr.frame:has-text("likely_wrong")');
    await expect.poll(() => forced.count()).toBeGreaterThan(0);
    await expect
      .poll(() => forced.locator('.tilde[title="Names from mismatched symbols"]').count())
      .toBe(await forced.count());
    await expect.poll(() => forced.first().getAttribute('aria-label')).toContain('names from mismatched symbols');
    await expect.poll(() => frames()).toHaveLength(before.length); // other names, and no other frames
    await page.getByRole('button', {name: /^Do not use it/}).click();
    await expect.poll(frames).toEqual(before);
    expect(complaints).toEqual([]);
  });
});

// Without the corpus these are reported as skipped.
describe.skipIf(!existsSync(corpus('real')))('the corpus beside the project', () => {
  const symbolsOf = (name: string): string[] => {
    const folder = corpus(`real/symbols/${name}`);
    return readdirSync(folder).flatMap(id => readdirSync(join(folder, id)).map(file => join(folder, id, file)));
  };

  test('an optimised program, its inlined calls and its threads', async () => {
    await give(corpus('real/dumps/core_threads_o2.dmp'), ...symbolsOf('threads_o2'), ...symbolsOf('libc.so.6'));
    await page.waitForSelector('.stack-region');
    await expect
      .poll(async () => (await frames()).slice(0, 4))
      .toEqual([
        ['middle', 'threads.cpp:12', 'threads_o2', 'inlined'],
        ['work::Queue<Node*>::drain(int)', 'threads.cpp:13', 'threads_o2', 'inlined'],
        ['work::process(work::Queue<Node*>&, int)', 'threads.cpp:14', 'threads_o2', 'context'],
        ['crasher()', 'threads.cpp:20', 'threads_o2', 'CFI'],
      ]);
    await page.waitForSelector('#main[aria-busy=false]');
    await expect.poll(() => page.locator('.group').count()).toBe(5);
    await noRequests();
  });

  test('a program of 2005 with a frame of an anonymous namespace', async () => {
    const sym = corpus('public/symbols/breakpad/test_app.pdb/5A9832E5287241C1838ED98914E9B7FF1/test_app.sym');
    const want = [
      ["`anonymous namespace'::CrashFunction", 'test_app.cc:58', 'test_app.exe', 'context'],
      ['main', 'test_app.cc:65', 'test_app.exe', 'STACK WIN'],
      ['__tmainCRTStartup', 'crt0.c:327', 'test_app.exe', 'STACK WIN'],
    ];
    await give(corpus('public/dumps/breakpad/minidump2.dmp'));
    await page.waitForSelector('.stack-region');
    await give(sym);
    await page.waitForSelector('.outcome:has-text("Updated with test_app.sym"), .outcome button');
    if (await page.locator('.outcome button').isVisible()) await page.click('.outcome button');
    await expect.poll(async () => (await frames()).slice(0, 3)).toEqual(want);

    await page.reload();
    await page.waitForSelector('.local:has-text("0 requests")');
    site.requests.length = 0;
    await give(corpus('public/dumps/breakpad/minidump2.dmp'), sym);
    await page.waitForSelector('.stack-region');
    await expect.poll(async () => (await frames()).slice(0, 3)).toEqual(want);
    await noRequests();
  });
});
