// Arguments and locals in the inspector and in the rows of a stack, with reports at hand instead of an engine.
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import {fixture, type HarnessPage} from './harness/page.ts';
import {texts, useHarness} from './harness/tests.ts';
import {inline, variable, withVariables} from './make.ts';
import {everything} from './values.ts';

const harness = useHarness();

const shown = async (width = 1440): Promise<HarnessPage> => {
  const p = await harness.page({viewport: {width, height: 900}, permissions: ['clipboard-read', 'clipboard-write']});
  await p.open(everything());
  if (width < 760) await p.page.locator('tr.frame').first().click();
  await p.page.waitForSelector('.variable');
  return p;
};

const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.querySelector('.name')?.textContent?.replace(/[▸▾]/, '') ?? '');

test('the variables of the frame of the crash come first, arguments before locals', async () => {
  const {page, complaints} = await shown();
  await expect.poll(() => texts(page, '[role=tab][aria-selected=true]')).toEqual(['Variables']);
  await expect.poll(() => texts(page, '.variables h3')).toEqual(['Arguments3Where it was', 'Locals3']);
  await expect
    .poll(() => texts(page, '.variable'))
    .toEqual([
      '▸batch ledger::Batch const & {"2026-11-close", …, 0x7f3c48000b20} 0x7fe259618f00',
      'index size_t 4 0x7fe259618e88',
      'flags int ⊘ optimized out –',
      'total int64_t -32450 rbx',
      'rate double ⊘ optimized out –',
      'odd Odd ✕ unreadablevalues of type void have no content –',
    ]);
  expect(complaints).toEqual([]);
});

test('the legend says once what is not there, for what is in view', async () => {
  const {page} = await shown();
  await expect
    .poll(() => texts(page, '.legend-line'))
    .toEqual(['⊘ optimized out the compiler kept no copy, so no dump would have it']);
  await page.click('.variable:has-text("batch")');
  await expect
    .poll(() => texts(page, '.legend-line'))
    .toEqual([
      '⊘ optimized out the compiler kept no copy, so no dump would have it',
      '? not captured it has an address, but this dump lacks that memory',
    ]);
});

test('rows open in place, sixteen elements at first and more when they are asked for', async () => {
  const {page} = await shown();
  const widths = (): Promise<number[]> =>
    page
      .locator('.variable >> nth=0')
      .locator('> *')
      .evaluateAll(all => all.map(e => e.getBoundingClientRect().left));
  const before = await widths();
  await page.click('.variable:has-text("batch")');
  await page.click('.variable:has-text("entries")');
  await expect.poll(() => widths()).toEqual(before);
  await expect.poll(() => page.locator('.variable[aria-level="3"]:not(.more)').count()).toBe(16);
  await expect.poll(() => texts(page, '.variable.more')).toEqual(['Show 48 more of 100']);
  await page.click('.variable.more button');
  await page.waitForSelector('.variable:has-text("[63]")');
  await expect.poll(() => texts(page, '.variable.more')).toEqual(['Show 36 more of 100']);
  await page.click('.variable.more button');
  await page.waitForSelector('.variable:has-text("[99]")');
  await expect.poll(() => page.locator('.variable.more').count()).toBe(0);
  await page.click('.variable:has-text("entries")');
  await expect.poll(() => page.locator('.variable[aria-level="3"]').count()).toBe(0);
});

test('is a tree for the keyboard and for screen readers', async () => {
  const {page} = await shown();
  await expect
    .poll(() => page.locator('.tree').evaluateAll(all => all.map(e => `${e.role} ${e.ariaLabel}`)))
    .toEqual(['treegrid Arguments', 'treegrid Locals']);
  await expect.poll(() => page.locator('.variable[tabindex="0"]').count()).toBe(1);
  await page.locator('.variable[tabindex="0"]').focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.locator('.variable').first().getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => focusedName(page)).toBe('id');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focusedName(page)).toBe('entries');
  const position = await page.evaluate(() =>
    ['level', 'posinset', 'setsize'].map(a => document.activeElement?.getAttribute(`aria-${a}`)),
  );
  expect(position).toEqual(['2', '2', '3']);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => focusedName(page)).toBe('batch');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => page.locator('.variable').first().getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('End');
  await expect.poll(() => focusedName(page)).toBe('odd');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('tr.selected'))).toBe(true);
});

test('says what a value is based on, and leads to its memory', async () => {
  const {page} = await shown();
  await page.locator('.variable:has-text("index")').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => texts(page, '.popover:popover-open .evidence-head')).toEqual(['index = 4 Why this value']);
  await expect
    .poll(() => texts(page, '.popover:popover-open .evidence dl > div'))
    .toEqual([
      'Typesize_t',
      'Where0x00007fe259618e88',
      'RuleDW_OP_fbreg -40',
      'Registerrbp = 0x7fff00000040',
      'Read[0x7fe259618e88] = 0x4',
      'From.debug_info at 0x1234',
      'Trustas frame 0: found by context',
    ]);
  await page.keyboard.press('Escape');
  await expect.poll(() => focusedName(page)).toBe('index');
  await page.keyboard.press('Enter');
  await page.click('.evidence-actions button:has-text("Copy evidence")');
  await page.waitForSelector('.toast:has-text("Evidence copied")');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('rule: DW_OP_fbreg -40\n');
  await page.click('.evidence-actions button:has-text("Go to memory")');
  await page.waitForSelector('.hex-caret:has-text("0x7fe259618e88")');
});

test('a value is copied, and g goes to the memory', async () => {
  const {page} = await shown();
  await page.locator('.variable:has-text("index")').focus();
  await page.keyboard.press('Control+c');
  await page.waitForSelector('.toast:has-text("Value copied")');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('4');
  await page.keyboard.press('g');
  await page.waitForSelector('.hex-caret:has-text("0x7fe259618e88")');
});

test('rows of the stack have arguments, until a key puts them away', async () => {
  const {page} = await shown();
  await expect
    .poll(() => texts(page, '.stack-region tr.frame .function'))
    .toEqual(['post(batch={…}, index=4)', 'main']);
  await page.keyboard.press('a');
  await expect.poll(() => texts(page, '.stack-region tr.frame .function')).toEqual(['post(Batch const&)', 'main']);
  await page.reload();
  await page.waitForSelector('h1');
  await harnessAgain(page);
  await expect.poll(() => texts(page, '.stack-region tr.frame .function')).toEqual(['post(Batch const&)', 'main']);
});

// The preference is kept, the dump is not.
async function harnessAgain(page: Page): Promise<void> {
  const buffer = Buffer.from(JSON.stringify({report: everything()}));
  await page.setInputFiles('input[data-opens=files]', {name: 'crash.dmp', mimeType: '', buffer});
  await page.waitForSelector('.variable');
}

test('variables of one name are told apart by their blocks', async () => {
  const {page, open} = await harness.page();
  const local = {kind: 'local'} as const;
  await open(
    withVariables([
      variable('i', 'int', '1', {...local, hidden: true}),
      variable('i', 'int', '2', {...local, block: {depth: 1, line: 12}}),
    ]),
  );
  await page.waitForSelector('.variable');
  await expect.poll(() => texts(page, '.variable')).toEqual(['i hidden int 1 –', 'i line 12 int 2 –']);
});

test('global variables are found by name, in the module of the frame', async () => {
  const {page, open} = await harness.page();
  const own = withVariables([variable('n', 'int', '1', {kind: 'argument'})]);
  const list = [variable('count', 'int', '7', {kind: 'global', location: '0x0000000000005000'})];
  await open({...own, globals: [{module: own.modules?.[0]?.filename ?? '', variables: list}]});
  const look = async (name: string): Promise<void> => {
    await page.keyboard.press('/');
    await page.fill('#find-field', name);
    await page.click('#find-list [role=option]:has-text("look for a global variable")');
  };
  await look('count');
  await page.waitForSelector('.tree[aria-label=Globals] .variable');
  await expect.poll(() => texts(page, '.variable')).toEqual(['n int 1 –', 'count int 7 0x5000']);
  await look('other');
  await page.waitForSelector('.globals-note:has-text("No global variable")');
  await expect.poll(() => texts(page, '.variable')).toEqual(['n int 1 –']);
  await page.click('.globals-note button');
  await page.waitForSelector('.globals-note', {state: 'hidden'});
});

test('each inlined call has its own', async () => {
  const {page, open} = await harness.page();
  const own = [variable('outer', 'int', '1', {kind: 'argument'})];
  const call = {...inline('inner(int)'), variables: [variable('inside', 'int', '2', {kind: 'argument'})]};
  await open(withVariables(own, {inlines: [call]}));
  await page.waitForSelector('.variable');
  await expect.poll(() => texts(page, '.variable .name')).toEqual(['inside']);
  await expect
    .poll(() => texts(page, '.stack-region tr.frame .function'))
    .toEqual(['inner(inside=2)', 'post(outer=1)', 'main']);
  await page.click('tr.frame:has-text("post")');
  await expect.poll(() => texts(page, '.variable .name')).toEqual(['outer']);
});

test('without variables in the symbols, the tab says which file has them, and nothing is asked for', async () => {
  const {page, open} = await harness.page();
  await open(fixture('threads'));
  await expect.poll(() => texts(page, '[role=tab][aria-selected=true]')).toEqual(['Registers']);
  await expect.poll(() => page.locator('.variables').count()).toBe(0);
  await page.click('#tab-variables');
  await expect
    .poll(() => texts(page, '.variables'))
    .toEqual([
      expect.stringContaining('The symbols of threads_o2 do not describe variables. Add a file with debug information'),
    ]);
});

test('a phone has two lines a row, and nothing goes over the edge', async () => {
  const {page} = await shown(360);
  await page.click('.variable .name:has-text("batch")');
  await page.click('.variable .name:has-text("entries")');
  const height = await page.locator('.variable:has-text("index")').evaluate(e => e.getBoundingClientRect().height);
  expect(height).toBeGreaterThanOrEqual(40);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expect.poll(() => texts(page, '.stack-region tr.frame .function')).toEqual(['post(Batch const&)', 'main']);
});
