// The layout: no part overflows, no row jumps, and a thousand threads are shown without delay.
import type {Page} from 'playwright-core';
import {describe, expect, test} from 'vitest';
import type {Frame, Task} from '../src/report.ts';
import {fixture} from './harness/page.ts';
import {useHarness} from './harness/tests.ts';
import {frame, inline, many, module, report, thread} from './make.ts';

const harness = useHarness();

const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));

test.each(['threads', 'chromium', 'none'] as const)('%s: the page scrolls sideways at no width', async name => {
  const p = await harness.page({viewport: {width: 1440, height: 800}});
  if (name !== 'none') await p.open(fixture(name));
  if (name !== 'none') await p.page.keyboard.press('x');
  for (const width of [1440, 1200, 1199, 760, 759, 360]) {
    await p.page.setViewportSize({width, height: 800});
    await settled(p.page);
    await expect
      .poll(() => p.page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]))
      .toEqual([width, width]);
  }
});

test.each([1440, 1000, 360])('at %i pixels no region of stacks covers another', async width => {
  const {page, open} = await harness.page({viewport: {width, height: 900}});
  const task: Task = {
    kind: 'goroutine',
    id: 7,
    state: 'select',
    thread: null,
    frames: [frame(0, 'main.serve')],
    end: {complete: true, kind: 'undefined', reason: ''},
    waits: null,
    created_by: 'main.main',
  };
  await open({...fixture('threads'), tasks: [task]});
  const regions = page.locator('.split > .stack-region, .split > .threads-region');
  await expect.poll(() => regions.count()).toBe(3);
  const edges = await regions.evaluateAll(all =>
    all.map(e => [e.getBoundingClientRect().top, e.getBoundingClientRect().bottom]),
  );
  for (const [i, [top]] of edges.entries()) expect(top).toBeGreaterThanOrEqual(edges[i - 1]?.[1] ?? 0);
});

test('the verdict, facts, symbols and the first twelve frames fit in 900 pixels', async () => {
  const {page, open} = await harness.page({viewport: {width: 1440, height: 900}});
  const names = Array.from({length: 12}, (_, i) => frame(i, `function_${i}`));
  await open(
    report({
      threads: [thread(names, {crashed: true})],
      modules: [
        module('app', {
          symbols: {
            state: 'matched',
            file: 'a',
            given_id: null,
            why: null,
            lines: true,
            inlines: true,
            cfi: true,
            code: false,
            bytes: 1,
            forcible: false,
            also: null,
          },
        }),
      ],
      verdict: {
        what: 'Null pointer read',
        where: 'function_0',
        guess: false,
        at: null,
        detail: 'Words.',
        crashed: true,
        finding: 'null_pointer',
        row: 0,
        confidence: null,
        badges: [{kind: 'cause', finding: 'null_pointer', text: 'Null', evidence: [], confidence: null}],
      },
    }),
  );
  const bottom = await page
    .locator('tr.frame')
    .last()
    .evaluate(row => row.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThan(900);
});

test('at 768 pixels the inspector stands below the stack whose frame is selected', async () => {
  const {page, open} = await harness.page({viewport: {width: 768, height: 900}});
  await open(fixture('threads'));
  const top = (selector: string): Promise<number> =>
    page
      .locator(selector)
      .first()
      .evaluate(e => e.getBoundingClientRect().top + scrollY);
  await expect.poll(() => top('.inspector')).toBeGreaterThan(await top('.stack-region'));
  await expect.poll(() => top('.inspector')).toBeLessThan(await top('.threads-region'));
  await page.keyboard.press('n');
  await expect.poll(() => top('.inspector')).toBeGreaterThan(await top('.groups tr.selected'));
});

test('targets are 24 pixels high, 40 when narrow', async () => {
  for (const [width, least] of [
    [1440, 20],
    [360, 40],
  ] as const) {
    const {page, open} = await harness.page({viewport: {width, height: 900}});
    await open(fixture('threads'));
    const small = await page
      .locator('button.button:visible, tr.frame:visible, .group:visible, [role=tab]:visible')
      .evaluateAll(
        (all, min) => all.filter(e => e.getBoundingClientRect().height < min).map(e => e.outerHTML.slice(0, 80)),
        least,
      );
    expect(small).toEqual([]);
  }
});

test('names that arrive do not move rows', async () => {
  const {page, give, open} = await harness.page();
  const bare = report({threads: [thread([frame(0), frame(1), frame(2)], {crashed: true})]});
  await open(bare);
  const tops = (): Promise<number[]> =>
    page.locator('tr.frame').evaluateAll(rows => rows.map(row => row.getBoundingClientRect().height));
  const before = await tops();
  await give('a.sym', {
    update: report({threads: [thread([frame(0, 'a'.repeat(300)), frame(1, 'b'), frame(2, 'c')], {crashed: true})]}),
  });
  await page.waitForSelector('.outcome:has-text("a.sym")');
  await expect.poll(() => tops()).toEqual(before);
});

test('inlined rows that arrive leave the selected row where it is on the screen', async () => {
  const {page, give, open} = await harness.page({viewport: {width: 1440, height: 600}});
  const frames = (named: boolean): Frame[] =>
    Array.from({length: 60}, (_, i) =>
      frame(i, named && i < 10 ? {function: `f${i}`, inlines: [inline(`in${i}`)]} : `f${i}`),
    );
  await open(report({threads: [thread(frames(false), {crashed: true})]}));
  await page.locator('tr.frame').nth(40).click();
  await page.evaluate(() => scrollTo(0, 900));
  const top = (): Promise<number> =>
    page.locator('tr.selected').evaluate(row => Math.round(row.getBoundingClientRect().top));
  const before = await top();
  await give('a.sym', {update: report({threads: [thread(frames(true), {crashed: true})]})});
  await page.waitForFunction(() => document.querySelectorAll('tr.frame').length === 70);
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThanOrEqual(30);
  await expect.poll(() => page.locator('tr.selected .function').innerText()).toBe('f40');
});

// In the page: which parts each drawing of it brings, in which frame, and what moves once the crash is shown.
function watchDrawing(): void {
  const parts = ['facts', 'stack-region', 'inspector', 'threads-region', 'modules'];
  const [drawings, frames, shifts] = [[] as string[][], [] as number[], [] as number[]];
  Object.assign(globalThis, {drawings, frames, shifts});
  let frame = 0;
  const count = (): void => {
    frame++;
    requestAnimationFrame(count);
  };
  count();
  const seen = new Set<string>();
  new MutationObserver(() => {
    const fresh = parts.filter(
      part => !seen.has(part) && document.querySelector(`section.${part}, aside.${part}, #${part}`),
    );
    if (fresh.length === 0) return;
    for (const part of fresh) seen.add(part);
    drawings.push(fresh);
    frames.push(frame);
    if (drawings.length > 1) return;
    // From the first picture with the crash in it on.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        new PerformanceObserver(list => {
          for (const entry of list.getEntries()) shifts.push(Reflect.get(entry, 'value'));
        }).observe({type: 'layout-shift'}),
      ),
    );
  }).observe(document.body, {childList: true, subtree: true});
}

describe('huge', () => {
  test('of a thousand threads and five thousand modules only the requested rows are laid out', async () => {
    const {page, open} = await harness.page();
    await open(many(1000), 'huge.dmp');
    await expect.poll(() => page.locator('.group').count()).toBe(100);
    await expect.poll(() => page.locator('#modules tbody tr').count()).toBe(100);
    // No list lays out more than a chunk at once, and each step adds one.
    await page.click('#modules .more button');
    await expect.poll(() => page.locator('#modules tbody tr').count()).toBe(200);
    await expect.poll(() => page.locator('#modules .more').innerText()).toBe('Show 100 more 200 of 5000');
    await page.fill('#modules input', 'library4999');
    await expect
      .poll(() => page.locator('#modules tbody tr').allInnerTexts())
      .toEqual([expect.stringMatching(/^library4999\.so/)]);
    await expect.poll(() => page.locator('*').count()).toBeLessThan(10_000);
  });

  test.each([1440, 360])('names of 4 KiB stay in their rows, %i pixels wide', async width => {
    const {page, open} = await harness.page({viewport: {width, height: 800}});
    const long = `${'namespace_of_a_name::'.repeat(195)}f()`;
    const frames = [frame(0, {function: long, module: long, file: `/${long}/a.cpp`, line: 1}), frame(1, 'main')];
    const threads = [thread(frames, {crashed: true}), thread(frames.slice(0, 1), {thread_name: long, state: long})];
    await open(
      report({threads, modules: [module(long)], annotations: [{name: long, value: long, source: 'c', module: null}]}),
    );
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const heights = await page
      .locator('tr.frame')
      .evaluateAll(all => all.map(row => row.getBoundingClientRect().height));
    expect(heights[0]).toBe(heights[1]);
  });

  test('a stack of ten thousand frames that overflowed is a few rows', async () => {
    const {page, open} = await harness.page();
    const frames = Array.from({length: 10_000}, (_, i) => frame(i, i < 4 ? `leaf${i}` : `cycle${i % 3}`));
    await open(report({threads: [thread(frames, {crashed: true})]}));
    await expect.poll(() => page.locator('tr.frame').count()).toBeLessThan(20);
    await expect.poll(() => page.locator('tr.fold').innerText()).toContain('repeating every 3, 7–9999');
  });

  test('the crash is shown first, then one part a frame in their order, and nothing that can be seen moves', async () => {
    const {page, open} = await harness.page();
    await page.evaluate(watchDrawing);
    await open(many(1000));
    const drawings: string[][] = await page.evaluate('drawings');
    expect(drawings[0]).toEqual(['facts', 'stack-region']);
    expect(drawings.slice(1)).toEqual([['inspector'], ['threads-region'], ['modules']]);
    // Each in a frame of its own, so that the browser can answer between them.
    await expect.poll(async () => new Set(await page.evaluate<number[]>('frames')).size).toBe(4);
    await expect.poll(() => page.evaluate('shifts')).toEqual([]);
  });

  test('moving through a stack draws nothing but the stack and its frame', async () => {
    const {page, open} = await harness.page();
    await open({...many(1000), annotations: [{name: 'a', value: 'b', source: 'c', module: null}]});
    const read = (): Promise<string[]> => page.evaluate('[...fieldsRead]');
    await expect
      .poll(() => read())
      .toEqual(expect.arrayContaining(['annotations', 'streams', 'unloaded_modules', 'notes']));
    await page.keyboard.press('j'); // what stands around an address is sorted once
    await page.evaluate('fieldsRead.clear()');
    for (const key of 'jjkj') await page.keyboard.press(key);
    await expect.poll(() => page.locator('tr.selected .number').innerText()).toBe('3');
    for (const name of ['annotations', 'streams', 'unloaded_modules', 'notes', 'handles', 'signature'])
      await expect.poll(() => read()).not.toContain(name);
  });
});

test.each([1200, 1366, 1536, 760, 360])('at %i pixels all of the buttons above the stack are in view', async width => {
  const {page, open} = await harness.page({viewport: {width, height: 900}});
  const {threads, ...rest} = fixture('chromium');
  const system = (threads ?? []).map(t => ({
    ...t,
    frames: (t.frames ?? []).map((f, i) => ({...f, is_system: i === 1})),
  }));
  await open({...rest, threads: system});
  const hidden = await page.locator('.stack-region .region-head').evaluateAll(heads =>
    heads.flatMap(head => {
      const {right} = head.getBoundingClientRect();
      const outside = [...head.querySelectorAll('.end, .end > button')].filter(
        e => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > right + 1,
      );
      return outside.map(e => e.textContent?.trim());
    }),
  );
  expect(hidden).toEqual([]);
  await expect.poll(() => page.getByRole('button', {name: 'View', exact: true}).count()).toBe(1);
});

test('streams have their names on paper', async () => {
  const {page, open} = await harness.page();
  const {streams} = fixture('threads');
  await open({...report(), ...fixture('threads'), streams});
  await page.emulateMedia({media: 'print'});
  const names = page.locator('#streams tbody tr > :first-child');
  await expect.poll(async () => (await names.allInnerTexts()).filter(name => name.trim() === '')).toEqual([]);
  expect(await names.count()).toBeGreaterThan(0);
});

test('printed, the page has no controls and all of the inspector', async () => {
  const {page, open} = await harness.page();
  await open(fixture('threads'));
  await page.emulateMedia({media: 'print'});
  await expect.poll(() => page.locator('button.button:visible').count()).toBe(0);
  await expect.poll(() => page.locator('input:visible, select:visible').count()).toBe(0);
  await expect.poll(() => page.locator('.inspector').evaluate(e => getComputedStyle(e).position)).toBe('static');
});

test('in forced colours the chain and the marks are still there', async () => {
  const {page, open} = await harness.page();
  await page.emulateMedia({forcedColors: 'active'});
  await open(fixture('chromium'));
  const borders = await page
    .locator('.node > span')
    .evaluateAll(all => all.map(e => getComputedStyle(e).borderTopWidth));
  expect(borders.filter(width => width === '0px')).toEqual([]);
});
