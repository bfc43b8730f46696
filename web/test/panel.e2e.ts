// The crash panel and what it shares the first screen with.
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import {fixture} from './harness/page.ts';
import {texts, useHarness} from './harness/tests.ts';
import {frame, report, thread, variable, withVariables} from './make.ts';
import {everything} from './values.ts';

const harness = useHarness();

const box = (page: Page, selector: string): Promise<DOMRect> =>
  page
    .locator(selector)
    .first()
    .evaluate(e => e.getBoundingClientRect());

test('the own line, the function and the first frame are above the fold', async () => {
  const {page, open} = await harness.page({viewport: {width: 1440, height: 900}});
  await open(fixture('threads'));
  await expect.poll(async () => (await box(page, 'h1')).bottom).toBeLessThan(100);
  await expect.poll(async () => (await box(page, '.crash-panel')).bottom).toBeLessThan(450);
  await expect.poll(async () => (await box(page, 'tr.frame')).top).toBeLessThan(520);
  await page.setViewportSize({width: 1280, height: 720});
  await expect.poll(async () => (await box(page, '.failed tr.crash')).bottom).toBeLessThan(720);
});

test('a line has the values of its variables, and the bad one is underlined', async () => {
  const {page, open} = await harness.page();
  const base = everything();
  const frames = base.threads?.[0]?.frames ?? [];
  const [first, ...rest] = frames;
  const name = first?.variables?.find(v => v.value !== null)?.name ?? '';
  const file = {function: 'post(Batch const&)', file: '/src/ledger.cpp', line: 2};
  const threads = [{...base.threads?.[0], frames: first ? [{...first, ...file}, ...rest] : []}];
  const origin = [{kind: 'load', frame: 0, register: 'rax', value: '0x10', variable: name, guess: false, text: ''}];
  const crash_info = {...base.crash_info, origin};
  const verdict = {...base.verdict, crashed: true, detail: 'It is bad.'};
  await open({...base, threads, crash_info, verdict} as typeof base);
  const buffer = Buffer.from(`one\nreturn ${name}->next;\nthree\n`);
  await page.setInputFiles('input[data-opens=files]', {name: 'ledger.cpp', mimeType: 'text/plain', buffer});
  await expect.poll(() => page.locator('.failed tr.crash u').innerText()).toBe(`${name}->next`);
  await expect.poll(() => page.locator('.failed tr.crash .values').innerText()).toMatch(new RegExp(`^${name} = `));
  await expect.poll(() => page.locator('.failed tr.said .detail').innerText()).toBe('It is bad.');
});

test('a phone shows a tapped frame in a sheet, steps in it, and Back closes it', async () => {
  const {page, open} = await harness.page({viewport: {width: 360, height: 780}});
  await open(fixture('threads'));
  await expect.poll(() => page.locator('.inspector').count()).toBe(0);
  await page.locator('tr.frame').nth(1).click();
  const sheet = await box(page, '.inspector');
  expect([sheet.bottom, Math.round((sheet.height / 780) * 100)]).toEqual([780, 66]);
  await expect.poll(async () => (await box(page, 'tr.selected')).bottom).toBeLessThanOrEqual(sheet.top);
  await page.click('button[aria-label="Next frame"]');
  await expect.poll(() => page.locator('.inspector h2 .name').innerText()).toContain('work::process');
  await page.goBack();
  await expect.poll(() => page.locator('.inspector').count()).toBe(0);
});

test('the wheel over the inspector scrolls the page', async () => {
  const {page, open} = await harness.page({viewport: {width: 1440, height: 500}});
  await open(fixture('threads'));
  const {left, width} = await box(page, '.inspector');
  await page.mouse.move(left + width / 2, 480);
  await page.mouse.wheel(0, 300);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300);
});

test('threads are a strip of bars; arrows go along it, and Enter opens one', async () => {
  const {page, open} = await harness.page();
  await open(fixture('threads'));
  await expect.poll(() => page.locator('.strip g').count()).toBe(6);
  await page.locator('.strip g').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.groups tr.frame.selected').count()).toBe(1);
});

test('a report that is text has no registers, no stack and no walk, and says that its frames are given', async () => {
  const {page, open} = await harness.page();
  const frames = ['main.(*Ring).At', 'main.main'].map((name, i) =>
    frame(i, {function: name, trust: 'prewalked', found_by: 'stated by the file', registers: null}),
  );
  const verdict = {
    ...report().verdict,
    crashed: true,
    what: 'Go panic',
    where: 'main.(*Ring).At',
    detail: 'It says so.',
  };
  await open(report({verdict, threads: [thread(frames, {crashed: true, stack: null})]}));
  await expect.poll(() => page.locator('h1').innerText()).toBe('Go panic in main.(*Ring).At');
  await expect.poll(() => texts(page, 'tr.frame .found')).toEqual(['given', 'given']);
  await expect.poll(() => page.locator('tr.frame .given').count()).toBe(1); // the first has the diamond
  await expect.poll(() => page.locator('[role=tab], .registers, .code-panel, .flip').count()).toBe(0);
});

test('the parameters of a blue screen are in words', async () => {
  const {page, open} = await harness.page();
  const base = fixture('threads');
  const parameters = ['0x28', '0x2'] as const;
  const crash_info = {...base.crash_info, parameters, parameter_meanings: ['memory address', 'IRQL']};
  await open({...base, crash_info, dump: {...base.dump, kind: 'Windows kernel dump'}});
  await expect.poll(() => texts(page, '.parameters li')).toEqual(['0x28Memory address', '0x2IRQL']);
});

test('the pointer on a frame marks it in the stack and the strip, whose largest frame names its variable', async () => {
  const {page, open} = await harness.page({viewport: {width: 1440, height: 900}});
  const line = variable('line', 'char[4096]', '', {size: 4096, address: '0x0000000000001100'});
  const base = withVariables([line]);
  const tops = ['0x0000000000001000', '0x0000000000003000', '0x0000000000003100'] as const;
  const frames = [...(base.threads?.[0]?.frames ?? []), frame(2, {function: 'start'})];
  const walked = frames.map((f, i) => ({...f, registers: {rsp: tops[i] ?? '0x0'} as const}));
  await open({...base, threads: [thread(walked, {crashed: true})]});
  await expect.poll(() => texts(page, '.scale .variable')).toEqual(['line']);
  await expect
    .poll(() => page.locator('.scale g').first().getAttribute('aria-label'))
    .toBe('Frame 0 · 8 KiB, most of it line');
  await page.hover('tr.frame >> nth=1');
  await expect.poll(() => page.locator('.scale g.pointed').getAttribute('aria-label')).toMatch(/^Frame 1 /);
  await page.hover('.scale g >> nth=0');
  await expect.poll(() => texts(page, 'tr.frame.pointed .number')).toEqual(['0']);
  await page.hover('h1');
  await expect.poll(() => page.locator('.pointed').count()).toBe(0);
});
