// Getting around in a report: the search over everything, the splitter, all stacks as one tree, and what is said of files.
import {expect, test} from 'vitest';
import {fixture, type HarnessPage} from './harness/page.ts';
import {useHarness} from './harness/tests.ts';
import {module, report, withVariables} from './make.ts';

const harness = useHarness();

const opened = async (width = 1440): Promise<HarnessPage> => {
  const p = await harness.page({viewport: {width, height: 900}});
  await p.open(fixture('threads'));
  return p;
};

const focused = ({page}: HarnessPage): Promise<string> =>
  page.evaluate(() => `${document.activeElement?.id} ${document.activeElement?.className}`);

test.each(['/', 'Control+k'])('%s finds a function of any thread, and goes there', async key => {
  const p = await opened();
  await p.page.keyboard.press(key);
  await expect.poll(() => focused(p)).toContain('find-field');
  await p.page.keyboard.type('spinner');
  await p.page.keyboard.press('Enter');
  await p.page.waitForSelector('.groups tr.frame.selected:has-text("spinner")');
  await expect.poll(() => focused(p)).toContain('selected');
  expect(p.complaints).toEqual([]);
});

test('finds modules, addresses, text in memory and commands', async () => {
  const p = await opened();
  const go = async (text: string, kind: string): Promise<void> => {
    await p.page.keyboard.press('Control+k');
    await p.page.fill('#find-field', text);
    await p.page.click(`#find-list li:has-text("${kind}")`);
  };
  await go('libstdc', 'module');
  await expect.poll(() => focused(p)).toContain('modules');
  await go('0x7fe259618ea8', 'show these bytes');
  await p.page.waitForSelector('#hex:focus');
  await go('hi', 'search the captured memory');
  await p.page.waitForSelector('.places, .hex-view [role=status]');
  await p.page.focus('#title');
  await go('All keys', 'key ?');
  await p.page.waitForSelector('#help[open]');
});

test('the raw dump is closed until something leads into it', async () => {
  const p = await opened();
  await p.page.evaluate(() => document.querySelector('#raw > details')?.removeAttribute('open'));
  await expect
    .poll(() => p.page.locator('nav.sections a').allInnerTexts())
    .toEqual(['Crash', 'Threads\n6', 'Memory', 'Raw dump']);
  await expect
    .poll(() => p.page.locator('#raw summary.region-head').innerText())
    .toMatch(/^Raw dump\s+7 modules, 8 streams, 2 notes, Linux$/);
  expect(await p.page.locator('#modules').isVisible()).toBe(false);
  await p.page.keyboard.press('/');
  await p.page.fill('#find-field', 'libstdc');
  await p.page.click('#find-list li:has-text("module")');
  await p.page.waitForSelector('#modules:focus');
});

test('arrow keys walk through what was found, Escape closes it', async () => {
  const p = await opened();
  await p.page.keyboard.press('/');
  await p.page.keyboard.type('work');
  await p.page.keyboard.press('ArrowDown');
  await expect.poll(() => p.page.getAttribute('#find-field', 'aria-activedescendant')).toBe('find-1');
  await expect.poll(() => p.page.locator('#find-1[aria-selected=true]').count()).toBe(1);
  await p.page.keyboard.press('Escape');
  await expect.poll(() => p.page.locator('#find[open]').count()).toBe(0);
  // A dialog says that it was closed a moment later; a key may have opened it again by then.
  await p.page.evaluate(() => {
    const dialog = document.querySelector<HTMLDialogElement>('#find');
    const slash = (): boolean => document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true}));
    slash();
    dialog?.close();
    slash();
    return new Promise(requestAnimationFrame);
  });
  await expect.poll(() => p.page.locator('#find-0').count()).toBe(1);
});

test('the splitter moves by keys and by the pointer, and is remembered', async () => {
  const p = await opened(2560);
  const width = (): Promise<number> =>
    p.page.locator('.stack-region').evaluate(e => Math.round(e.getBoundingClientRect().width));
  await expect.poll(() => width()).toBe(1280);
  await p.page.focus('.splitter');
  await p.page.keyboard.press('ArrowLeft');
  await expect.poll(() => width()).toBe(1264);
  await p.page.keyboard.press('Home');
  await expect.poll(() => width()).toBe(360);
  const box = await p.page.locator('.splitter').boundingBox();
  await p.page.mouse.move((box?.x ?? 0) + 4, (box?.y ?? 0) + 40);
  await p.page.mouse.down();
  await p.page.mouse.move(1600, (box?.y ?? 0) + 40);
  await p.page.mouse.up();
  await expect.poll(async () => Math.abs((await width()) - 1600)).toBeLessThan(4);
  const stored = await width();
  await p.page.reload();
  await p.page.waitForSelector('h1');
  await p.open(fixture('threads'));
  await expect.poll(async () => Math.abs((await width()) - stored)).toBeLessThan(2);
  await p.page.dblclick('.splitter');
  await expect.poll(() => width()).toBe(1280);
  expect(p.complaints).toEqual([]);
});

test('all stacks as one tree stand alone, over the whole width, and keys lead through them', async () => {
  const p = await opened();
  await p.page.click('button:has-text("Parallel stacks")');
  await expect.poll(() => p.page.locator('.groups, .inspector, .stack-region').count()).toBe(0);
  await expect
    .poll(() => p.page.locator('.canvas').evaluate(e => e.getBoundingClientRect().width))
    .toBeGreaterThan(1300);
  await p.page.fill('#filter', 'spinner');
  await expect.poll(() => p.page.locator('.parallel g.hit').count()).toBe(1);
  await p.page.locator('.parallel g[id]').first().focus();
  await p.page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(p)).toContain('box-1');
  // What the threads of a cell have in common stands below.
  await p.page.click('#box-0');
  await expect.poll(() => p.page.locator('.merged').innerText()).toMatch(/^5 threads here/);
  await expect.poll(() => p.page.locator('.merged li').first().innerText()).toContain('the same in all 5');
  await p.page.keyboard.press('Escape');
  await expect.poll(() => p.page.locator('.stack-region').count()).toBe(1);
});

test('a file that matches no module is not reported as used', async () => {
  const p = await opened();
  await p.give('x.sym', {symbols: true});
  await p.page.waitForSelector('.toast:has-text("x.sym fits no module here")');
  await expect.poll(() => p.page.locator('.outcome').innerText()).toBe('x.sym fits no module here');
});

test('a file of another build is reported as mismatched', async () => {
  const p = await harness.page();
  await p.open(report({threads: []}));
  const known = withVariables([]).modules?.[0]?.symbols;
  if (!known) throw new Error('no symbols');
  const wrong = module('app', {symbols: {...known, state: 'wrong_build', file: 'app.sym'}});
  await p.give('app.sym', {update: report({modules: [wrong]})});
  await p.page.waitForSelector('.toast:has-text("app.sym not used: other build of app")');
});

test('symbols without a dump are listed', async () => {
  const p = await harness.page();
  await p.give('a.sym', {symbols: true});
  await p.page.waitForSelector('.ready:has-text("a.sym")');
  await p.give('b.pdb', {symbols: true});
  await p.page.waitForSelector('.ready tbody tr:nth-child(2)');
  const rows = await p.page.locator('.ready tbody tr').allInnerTexts();
  expect(rows.map(text => text.replace(/\s+/g, ' '))).toEqual([
    expect.stringContaining('a.sym Breakpad symbol file'),
    expect.stringContaining('b.pdb Windows symbol file'),
  ]);
  expect(rows[0]).toContain('It seems to be cut short');
  const saved = p.page.waitForEvent('download');
  await p.page.click('button:has-text("Save .sym")');
  expect((await saved).suggestedFilename()).toBe('app.sym');
});
