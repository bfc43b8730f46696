// A name that is not proved has its mark, ~, wherever the page shows it.
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import type {Address, Frame, Report} from '../src/report.ts';
import {fixture, type HarnessPage} from './harness/page.ts';
import {useHarness} from './harness/tests.ts';

const harness = useHarness();

const name = 'unproved_';

/** A crash whose frames all have the name of the nearest symbol. The frame of the crash is called from a word of its stack. */
function doubtful(hash: string): Report {
  const base = fixture('threads');
  const frameOf = (frame: Frame, i: number): Frame => ({
    ...frame,
    function: `${name}${i % 2 === 0 ? 'even' : 'odd'}`,
    function_offset: '0x8',
    linkage_function: null,
    readable_function: null,
    file: null,
    line: null,
    inlines: null,
    public_name: true,
    name_certainty: 'nearest',
    is_system: false,
  });
  const threads = (base.threads ?? []).map(thread => {
    const sp = thread.frames?.[0]?.registers?.['rsp'];
    const returns: Address | null = sp === undefined ? null : `0x${(BigInt(sp) + 40n).toString(16)}`;
    const frames = (thread.frames ?? [])
      .map(frameOf)
      .map((frame, i) => (i === 1 ? {...frame, return_address: returns} : frame));
    return {...thread, frames};
  });
  const verdict = {...base.verdict, where: `${name}even`, at: null, guess: true, detail: '', badges: [], row: 0};
  return {...base, threads, verdict, signature: null, dump: {...base.dump, hash}};
}

/** What stands before each occurrence of the name that has no mark: in text, and in what is read aloud. */
const unmarked = (page: Page): Promise<string[]> =>
  page.evaluate(name => {
    const blocks = 'td, th, li, p, h1, h2, h3, dd, option, [role=option], text, div';
    const found = new Set<string>();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const block = node.textContent?.includes(name) && node.parentElement?.closest(blocks);
      if (!block) continue;
      const text = (block.textContent ?? '').replace(/\s+/g, ' ');
      for (const {index} of text.matchAll(new RegExp(name, 'g'))) {
        const before = text.slice(Math.max(0, index - 24), index);
        if (!/~ ?$/.test(before)) found.add(`${block.className || block.tagName}: ${before}`);
      }
    }
    for (const labelled of document.querySelectorAll('[aria-label]')) {
      const label = labelled.getAttribute('aria-label') ?? '';
      if (label.includes(name) && !/~ |may be another function/.test(label)) found.add(`aria-label: ${label}`);
    }
    return [...found];
  }, name);

const shown = (page: Page, within: string): Promise<number> => page.locator(`${within} :text("${name}")`).count();

const views: Readonly<Record<string, readonly [string, (p: HarnessPage) => Promise<void>]>> = {
  'the verdict': ['h1', async () => undefined],
  'the stack': ['.stack', async () => undefined],
  'the threads': ['#threads', async () => undefined],
  'the words of a stack': ['.panels', async ({page}) => page.click('#tab-stack')],
  'the registers': ['.panels', async ({page}) => page.click('#tab-registers')],
  'parallel stacks': [
    '.parallel',
    async ({page}) => {
      await page.click('button:has-text("Parallel stacks")');
      await page.waitForSelector('.box-strip');
    },
  ],
  'the search over everything': [
    '#find',
    async ({page}) => {
      await page.keyboard.press('/');
      await page.fill('#find-field', 'unprove');
      await page.waitForSelector('#find-list [role=option]');
    },
  ],
  'the table of dumps': [
    '.triage-table',
    async ({page, give}) => {
      await give('two.dmp', {report: doubtful('b'.repeat(32))});
      await page.waitForSelector('.dump:has-text("two.dmp")');
      await page.click('button:has-text("All dumps")');
    },
  ],
  'two dumps side by side': [
    '.pair-table',
    async ({page, give}) => {
      await give('two.dmp', {report: doubtful('b'.repeat(32))});
      await page.waitForSelector('.dump:has-text("two.dmp")');
      await page.click('button:has-text("All dumps")');
      for (const dump of ['one', 'two']) await page.check(`input[aria-label="Compare ${dump}.dmp"]`);
      await page.click('.comparing button');
      await page.waitForSelector('.pair-table');
    },
  ],
};

test.each(Object.entries(views))('in %s', async (_, [within, go]) => {
  const p = await harness.page();
  await p.open(doubtful('a'.repeat(32)), 'one.dmp');
  await go(p);
  await expect.poll(() => shown(p.page, within)).toBeGreaterThan(0);
  expect(await unmarked(p.page)).toEqual([]);
  expect(p.complaints).toEqual([]);
});
