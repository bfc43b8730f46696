// Reading a crash from the verdict to what is handed on, with the page as it is published and the real engine: the project's own
// dump, and those of the corpus where there is one.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Locator, Page} from 'playwright-core';
import {afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {corpus, openAgain} from './browser.ts';
import {browser, example, type Given, openFiles, site} from './built.ts';

let page: Page;
let complaints: string[];

/** A page without a dump. */
async function again(): Promise<void> {
  ({page, complaints} = await openAgain(browser, site));
}

// No view sends a request or logs an error.
afterEach(() => {
  expect(complaints).toEqual([]);
  expect(site.ownRequests()).toEqual([]);
});

const open = (...files: readonly (string | Given)[]): Promise<void> => openFiles(page, files);

const text = async (of: string | Locator): Promise<string> =>
  (await (typeof of === 'string' ? page.locator(of) : of).first().innerText()).replace(/\s+/g, ' ').trim();

const texts = (selector: string): Promise<string[]> =>
  page.locator(selector).evaluateAll(all => all.map(e => (e.textContent ?? '').replace(/\s+/g, ' ').trim()));

/** The symbol files below a folder of the corpus. */
const below = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, {recursive: true, encoding: 'utf8'})
        .filter(name => name.endsWith('.sym'))
        .map(name => join(folder, name))
    : [];

/** A dump with its symbols, and what a reader finds in it. */
interface Crash {
  readonly files: readonly string[];
  readonly title: RegExp;
  readonly evidence: RegExp;
  readonly facts: Readonly<Record<string, string>>;
  readonly frames: readonly string[];
  /** The register that explains it, and the instruction; null where the dump has no code. */
  readonly code: {readonly culprit: string; readonly instruction: RegExp} | null;
  /** Its source file as far as the frame says it, and the line. */
  readonly source: {readonly file: string; readonly line: number};
  /** Part of a function that another thread is in. */
  readonly elsewhere: string;
}

const real = (path: string): string => corpus(`real/${path}`);

const crashes: Readonly<Record<string, Crash>> = {
  'the example': {
    files: ['crash.dmp', 'desk.sym', 'libc.sym', 'libstdcpp.sym'].map(example),
    title: /^Null pointer read in desk::available at crash\.cpp:33$/,
    evidence: /rcx/,
    facts: {Reason: 'SIGSEGV / SEGV_MAPERR signal 11', Process: 'desk pid 7707', Threads: '4'},
    frames: ['desk::available(desk::Book const*)', 'desk::find(desk::Request const&)'],
    code: {culprit: 'rcx', instruction: /mov edx, dword \[rcx ?\+ ?0xc\]/},
    source: {file: 'crash.cpp', line: 33},
    elsewhere: 'wait_for_closing',
  },
  core_threads_o2: {
    files: [
      real('dumps/core_threads_o2.dmp'),
      ...below(real('symbols/threads_o2')),
      ...below(real('symbols/libc.so.6')),
    ],
    title: /^Null pointer access in middle at threads\.cpp:12$/,
    evidence: /accessed 0x0/,
    facts: {Address: '0x0', Threads: '6'},
    frames: ['middle', 'work::Queue<Node*>::drain(int)', 'work::process(work::Queue<Node*>&, int)', 'crasher()'],
    code: null,
    source: {file: 'threads.cpp', line: 12},
    elsewhere: 'spinner',
  },
};

// A corpus that is not there has nothing to read.
const there = Object.entries(crashes).filter(([, {files}]) => files.every(file => existsSync(file)));

describe.each(there)('%s', (_, crash) => {
  const shown = async (): Promise<void> => {
    await again();
    await open(...crash.files);
    await page.waitForSelector('.registers dt');
  };

  // These tests share a page. None depends on the one before it, and the last one leaves the view.
  describe('on one page', () => {
    beforeAll(shown);

    test('says what happened, with the evidence and the facts', async () => {
      await expect.poll(() => text('h1')).toMatch(crash.title);
      await expect.poll(() => text('.detail')).toMatch(crash.evidence); // no badge says it once more
      const facts = Object.fromEntries(
        await page
          .locator('.facts dl > div')
          .evaluateAll(all =>
            all.map(e => [
              e.querySelector('dt')?.textContent?.trim(),
              e.querySelector('dd')?.innerText.replace(/\s+/g, ' ').trim(),
            ]),
          ),
      );
      expect(facts).toMatchObject(crash.facts);
    });

    test('shows the stack with inlined calls, and how it ends', async () => {
      const names = await page.locator('.stack-region tr.frame .function').allInnerTexts();
      expect(names.slice(0, crash.frames.length).map(name => name.trim())).toEqual(crash.frames);
      await expect
        .poll(() => text('.stack-region .end-row .words'))
        .toMatch(/^(Stack complete|Ends at a guess|Cut short): ./);
      await expect.poll(() => page.locator('.stack-region .found:text-is("inlined")').count()).toBeGreaterThan(0);
    });

    test('shows of a frame its registers, code, words, and why it is there, down to the bytes', async () => {
      if (crash.code) {
        await page.waitForSelector('.code-panel tr.crash');
        await page.click('#tab-registers');
        await expect.poll(() => text('.registers .culprit dt')).toBe(crash.code.culprit);
        await expect.poll(() => text('.code-panel tr.crash .text')).toMatch(crash.code.instruction);
        await expect.poll(() => text('.code-panel tr.crash .note')).toContain(crash.code.culprit);
      } else await expect.poll(() => text('.code-panel')).toContain('The bytes of this code are not in the dump.');
      await page.click('#tab-stack');
      await expect.poll(() => page.locator('.words-panel .returns').count()).toBeGreaterThan(0);
      const caller = page.locator('.stack-region tr.frame:has(.found:text-is("CFI"))').first();
      await caller.click();
      await page.click('#tab-why');
      await page.waitForSelector('.why .reads-list button');
      const read = page.locator('.why .reads-list li').first();
      const [, address = '', value = ''] = /\[(0x[0-9a-f]+)\] = ([0-9a-f]+)/.exec(await text(read)) ?? [];
      await read.locator('button').click();
      await page.waitForSelector('.hex .caret:not(.absent)');
      await expect.poll(() => text('#hex-caret')).toContain(address);
      // What the walk read there is what stands there.
      await expect.poll(() => text('#hex-caret')).toContain(value.replace(/^0+/, ''));
    });

    test('has modules with their symbols, a map, bytes, the environment masked, and every stream by its fields', async () => {
      const main = page.locator('#modules tbody tr').filter({hasText: '✓'}).first();
      await expect.poll(() => text(main)).toMatch(/[0-9A-F]{33}/);
      await expect.poll(() => page.locator('.map .box').count()).toBeGreaterThan(5);
      await expect.poll(() => page.locator('.map svg .pin').count()).toBe(3);
      await page.fill('#goto', 'rsp');
      await page.press('#goto', 'Enter');
      await page.waitForSelector('.hex .caret:not(.absent)');
      const environment = page.locator('.text-file', {hasText: 'environ'});
      if ((await environment.count()) > 0) {
        await environment.locator('summary').click();
        await expect.poll(() => environment.locator('pre').count()).toBe(0);
      }
      await page.click('#streams button:has-text("ThreadList")');
      await page.waitForSelector('.fields .option');
      await expect.poll(() => page.locator('.fields').innerText()).toContain('ThreadId');
    });

    test('is copied as text, Markdown and JSON, all with the same frames', async () => {
      const innermost = (crash.frames[0] ?? '').split('(')[0] ?? '';
      await page.keyboard.press('y');
      await page.waitForSelector('.toast:has-text("Stack copied")');
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(innermost);
      for (const format of ['text', 'Markdown']) {
        await page.click('#share-button');
        await page.click(`#share-popover button:has-text("Copy the report as ${format}")`);
        await page.waitForSelector(`.toast:has-text("as ${format}")`);
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(innermost);
      }
      await page.click('#share-button');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.click('#share-popover button:has-text("as JSON")'),
      ]);
      expect(readFileSync(await download.path(), 'utf8')).toContain(innermost);
    });

    test('shows source that is dropped, at the line', async () => {
      const lines = Array.from({length: 200}, (_, i) => `line ${i + 1} of the file`).join('\n');
      await page.setInputFiles('input[data-opens=files]', {
        name: crash.source.file,
        mimeType: 'text/plain',
        buffer: Buffer.from(lines),
      });
      await page.locator('.stack-region tr.frame').first().click(); // the crash, whichever frame was looked at last
      await page.waitForSelector('.source-panel tr.crash');
      await expect.poll(() => text('.source-panel tr.crash .text')).toBe(`line ${crash.source.line} of the file`);
    });

    test('groups the other threads, opens them, draws them as a tree', async () => {
      const group = page.locator('.group', {hasText: crash.elsewhere});
      await group.click();
      await expect.poll(() => group.getAttribute('aria-expanded')).toBe('true');
      await expect
        .poll(() => page.locator('.groups tr.frame .function', {hasText: crash.elsewhere}).count())
        .toBeGreaterThan(0);
      await page.click('button:has-text("Parallel stacks")');
      await expect.poll(() => page.locator('.parallel', {hasText: crash.elsewhere}).count()).toBe(1);
      await expect
        .poll(() => page.locator('.parallel', {hasText: crash.frames.at(-1)?.split('(')[0] ?? ''}).count())
        .toBe(1);
    });
  });

  describe('on a page of its own', () => {
    beforeEach(shown);

    test('has a link to a place that leads a colleague there', async () => {
      await page.locator('.stack-region tr.frame').nth(3).click();
      await page.keyboard.press('2');
      await page.keyboard.press('l');
      await page.waitForSelector('.toast:has-text("copied")');
      const link = await page.evaluate(() => navigator.clipboard.readText());
      expect(new URL(link).hash).toMatch(/^#[a-z0-9=&]+$/);
      const selected = await text('tr.frame.selected .function');
      await page.goto('about:blank');
      await page.goto(link);
      await page.waitForSelector('.local:has-text("0 requests")');
      site.requests.length = 0;
      await open(...crash.files);
      await page.waitForSelector('tr.frame.selected');
      await expect.poll(() => text('tr.frame.selected .function')).toBe(selected);
      await expect.poll(() => page.getAttribute('#tab-registers', 'aria-selected')).toBe('true');
    });

    test('fits a phone, and paper', async () => {
      await page.setViewportSize({width: 360, height: 780});
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      await page.setViewportSize({width: 794, height: 1123});
      await page.emulateMedia({media: 'print'});
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(794);
      await expect
        .poll(() =>
          page.locator('.tools, .tabs, .hex-view form').evaluateAll(all => all.some(e => e.checkVisibility())),
        )
        .toBe(false);
    });
  });
});

describe('variables', () => {
  beforeEach(again);

  const vars = (path: string): string => corpus(`vars/${path}`);

  test.skipIf(!existsSync(vars('dumps')))('are read of the frame that is selected, and of no other', async () => {
    await open(vars('dumps/shop_o0.full.dmp'), vars('native/shop_o0'));
    await page.waitForSelector('.variable');
    await expect.poll(() => text('[role=tab][aria-selected=true]')).toBe('Variables');
    await page.waitForSelector('.args');
    await expect.poll(() => text('tr.frame.selected .function')).toContain('depth=3');
    await page.click('.variable .name:has-text("o")');
    await expect
      .poll(() => texts('.variable[aria-level="2"] .name'))
      .toEqual(
        ['customer', '▸lines', '▸prices', 'rebate', 'color', '▸bits', 'next'].map(name =>
          expect.stringContaining(name),
        ),
      );
    await page.locator('.variable:has(.name:text-is("depth"))').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => text('.popover:popover-open .evidence')).toContain('DW_OP_fbreg');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.waitForSelector('.variable:has(.name:text-is("depth")):has-text("2")');
  });

  test.skipIf(!existsSync(vars('dumps')))('stay out of what is shared until their box is ticked', async () => {
    await open(vars('dumps/shop_o0.full.dmp'), vars('native/shop_o0'));
    await page.keyboard.press('s');
    await page.click('#share-popover button:has-text("Make")');
    await page.waitForSelector('.tells li:has-text("Values of arguments and variables")');
    const copied = async (): Promise<string> => {
      await page.click('#share-text');
      await page.waitForSelector('[role=status] p:has-text("is on the clipboard")');
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copied()).not.toContain('depth');
    await page.check('#share-values');
    const masked = await copied();
    expect(masked).toContain('depth (argument) = 3');
    expect(masked).not.toContain('Carol');
    await page.check('#share-names');
    expect(await copied()).toContain('customer = "Carol with a rather long name that is not inline"');
  });
});

describe('of several dumps', () => {
  beforeEach(again);

  const others = [example('crash.dmp'), real('dumps/core_threads_o2.dmp'), real('dumps/chromium_renderer.dmp')].filter(
    file => existsSync(file),
  );

  test('a table is made, and two are compared', async () => {
    // One byte more: the same file twice is one dump.
    const again = Buffer.concat([readFileSync(example('crash.dmp')), Buffer.alloc(1)]);
    await open(...others, {name: 'again.dmp', buffer: again});
    await page.keyboard.press('t');
    await page.waitForSelector('.triage-table');
    await expect
      .poll(() => text('h1'))
      .toBe(`${others.length + 1} crashes in ${others.length} group${others.length === 1 ? '' : 's'}`);
    await page.check('input[aria-label="Compare crash.dmp"]');
    await page.check('input[aria-label="Compare again.dmp"]');
    await page.click('.comparing button');
    await page.waitForSelector('.pair-table');
    await expect.poll(() => text('h1')).toBe('Two crashes with one signature');
  });
});

/** So much of a file as is left of a copy that was broken off. */
const cut = (path: string, share: number): Given => {
  const whole = readFileSync(path);
  return {name: `cut_${path.split('/').at(-1)}`, buffer: whole.subarray(0, Math.floor(whole.length * share))};
};

describe('what is attached to a dump', () => {
  beforeEach(again);

  test('handles', async () => {
    await open(example('crash.dmp'));
    await expect.poll(() => text('#handles')).toContain('pipe:[56509]');
  });

  test.skipIf(!existsSync(corpus('public/dumps')))('annotations', async () => {
    await open(corpus('public/dumps/breakpad/minidump_crashpad_annotation.dmp'));
    await expect.poll(() => text('#annotations tbody')).toContain('xcuitest');
    await expect.poll(() => text('.facts')).toContain('xcuitest');
  });
});

describe('a dump that is cut short', () => {
  beforeEach(again);

  const dumps = [
    example('crash.dmp'),
    real('dumps/core_threads_o2.dmp'),
    corpus('public/dumps/breakpad/null_read_av.dmp'),
  ].filter(file => existsSync(file));
  const parts = dumps.flatMap(file =>
    [0.6, 0.9, 0.999].map(share => [file.split('/').at(-1) ?? '', share, file] as const),
  );

  test.each(parts)('%s, %d of it', async (_, share, file) => {
    await open(cut(file, share));
    // The first lines of the page name the part that cannot be read: all streams may be present, and the memory missing.
    const lost = (await texts('#streams .doubt')).length;
    await page.waitForSelector('.in-short .doubt:has-text("✕")');
    await page.click('.facts button');
    const sheet = await text('.findings');
    if (lost > 0) {
      expect(sheet).toContain(`${lost} stream${lost === 1 ? '' : 's'} unreadable`);
      expect(sheet).toMatch(/The file has .*, its streams reach to .*: it was not written or copied completely\./);
    } else expect(sheet).toMatch(/Memory truncated.* reach beyond the end of the file/);
    await expect.poll(async () => (await texts('#notes td.wide')).join(' ')).toContain('beyond the end of the file');
    // What is there is shown.
    await expect.poll(() => page.locator('h1').count()).toBe(1);
    await expect.poll(() => page.locator('.facts dl > div').count()).toBeGreaterThan(3);
  });

  test('the example’s first 60 % has its threads and their memory, and says that the modules are lost', async () => {
    await open(cut(example('crash.dmp'), 0.6));
    await expect.poll(() => text('h1')).toBe('The exception cannot be read');
    await expect.poll(() => text('#modules')).toContain('Without the list of modules frames have addresses only');
    await expect.poll(() => page.locator('.stack-region tr.frame').count()).toBeGreaterThan(0);
    await expect.poll(() => page.locator('.registers dt').count()).toBeGreaterThan(10);
    await page.keyboard.press('3');
    await expect.poll(() => page.locator('.words-panel tr').count()).toBeGreaterThan(10);
    await expect.poll(() => text('.group:last-child')).toBeTruthy();
  });
});

describe('states that are none of a crash', () => {
  beforeEach(again);

  test('no symbols at all: each frame is a module and an offset, and what is wanted is listed', async () => {
    await open(example('crash.dmp'));
    await expect.poll(() => text('.stack-region tr.frame .function')).toMatch(/^desk \+ 0x/);
    await expect.poll(() => texts('.wanted .state')).toContain('Missing');
    await page.click('.wanted button.who:has-text("desk")');
    await expect.poll(() => text('.wanted')).toMatch(/desk\/[0-9A-F]{33}\/desk\.sym/);
  });

  test.skipIf(!existsSync(corpus('public/dumps')))('a stack that overflowed is folded', async () => {
    await open(corpus('public/dumps/breakpad/stack_exhaustion.dmp'));
    await expect.poll(() => text('h1')).toContain('Stack overflow');
    await expect.poll(() => page.locator('.stack-region tr.frame').count()).toBeLessThan(100);
    await expect.poll(() => page.locator('.stack-region tr.fold').count()).toBeGreaterThan(0);
  });
});
