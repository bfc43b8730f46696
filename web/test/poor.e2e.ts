// A dump without symbols: the stack is in view, guesses look like guesses, own code comes first, and what to get is one action away.
import {expect, test} from 'vitest';
import type {Report, Wanted} from '../src/report.ts';
import type {HarnessPage} from './harness/page.ts';
import {useHarness} from './harness/tests.ts';
import {frame, module, report, thread} from './make.ts';

const harness = useHarness();

const names = [
  'VCRUNTIME140.dll',
  'atlas.exe',
  'ntdll.dll',
  'KERNELBASE.dll',
  'KERNEL32.DLL',
  'USER32.dll',
  'win32u.dll',
];
const isOwn = (index: number): boolean => index === 1;

const wanted = (index: number): Wanted => {
  const stem = (names[index] ?? '').replace(/\.\w+$/, '');
  return {
    module: index,
    debug_file: `${stem}.pdb`,
    debug_id: `${index}AB`.repeat(10),
    code_file: names[index] ?? '',
    code_id: '6546f2471a000',
    paths: [
      `${stem}.pdb/ID/${stem}.sym`,
      `${stem}.pdb/ID/${stem}.pdb`,
      `${names[index]}/6546F2471a000/${names[index]}`,
    ],
    frames: 9,
    crashing: true,
    state: 'missing',
    why: null,
    ...(isOwn(index)
      ? {origin: 'build'}
      : {origin: 'microsoft', server: 'https://msdl.microsoft.com/download/symbols'}),
  };
};

/** 64 frames of seven modules, one of them certain. */
const poor = (): Report => {
  const at = (i: number) => ({
    module: names[i] ?? null,
    module_index: i,
    module_offset: '0x4a21c' as const,
    missing_symbols: true,
    is_system: !isOwn(i),
  });
  const frames = Array.from({length: 64}, (_, i) =>
    frame(i, i === 0 ? at(0) : {...at(i < 4 ? 1 : i % names.length), trust: 'scan', found_by: 'scan'}),
  );
  const base = report();
  return report({
    modules: names.map((name, i) => module(name, {version: '2.14.0', is_system: !isOwn(i)})),
    threads: [
      thread(frames, {
        crashed: true,
        thread_id: 8820,
        end: {complete: false, kind: 'memory_ends', reason: 'the captured stack stops 40 bytes above frame 63'},
      }),
    ],
    system_info: {...base.system_info, os: 'Windows NT', os_ver: '10.0.19045', cpu_arch: 'amd64'},
    crash_info: {...base.crash_info, crashing_thread: 0, reason: 'EXCEPTION_ACCESS_VIOLATION_WRITE', address: '0x18'},
    verdict: {
      ...base.verdict,
      what: 'Null pointer write',
      where: 'atlas.exe + 0x4a21c',
      guess: true,
      row: 1,
      crashed: true,
      detail: '`movups xmmword [rcx], xmm0` writes 16 bytes at `0x18`.',
    },
    wanted_symbols: names.map((_, i) => wanted(i)),
    next_steps: [{kind: 'get_symbols', module: 1, text: 'Get `atlas.pdb` with ID `AB`.'}],
  });
};

const opened = async (width = 1440, height = 900, of = poor()): Promise<HarnessPage> => {
  const p = await harness.page({viewport: {width, height}, permissions: ['clipboard-read', 'clipboard-write']});
  await p.open(of);
  return p;
};

const clipboard = ({page}: HarnessPage): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

const top = ({page}: HarnessPage, selector: string): Promise<number> =>
  page
    .locator(selector)
    .first()
    .evaluate(e => e.getBoundingClientRect().top);

test('the stack begins above the fold', async () => {
  const wide = await opened();
  await expect.poll(() => top(wide, 'tr.frame')).toBeLessThan(590);
  await expect.poll(() => top(wide, '.stack-region')).toBeLessThan(495);
  const phone = await opened(360, 800);
  await expect.poll(() => top(phone, 'tr.frame')).toBeLessThan(800);
  // On a phone the symbols are one line until they are opened.
  await expect.poll(() => phone.page.locator('.symbols').count()).toBe(0);
  await phone.page.getByRole('button', {name: /^Symbols: atlas.exe and/}).click();
  await phone.page.waitForSelector('.symbols .wanted li');
});

test('symbols of the system that are missing are one line, which opens them', async () => {
  const {page} = await opened(1440, 900, {
    ...poor(),
    modules: (poor().modules ?? []).map(m => ({...m, is_system: true})),
  });
  await expect.poll(() => page.locator('.symbols').count()).toBe(0);
  await page.click('.symbols-link');
  await page.waitForSelector('.symbols .wanted li');
  await page.click('.symbols-link');
  await expect.poll(() => page.locator('.symbols').count()).toBe(0);
});

test('missing symbols are a line a module, and the frames add up', async () => {
  const {page} = await opened();
  await expect.poll(() => page.locator('.symbols-head').innerText()).toContain('7 files would name 64 of 64 frames');
  await expect.poll(() => page.locator('.wanted > li').count()).toBe(3);
  await expect
    .poll(() => page.locator('.wanted .who').allInnerTexts())
    .toEqual(['atlas.exe', 'VCRUNTIME140.dll', 'KERNEL32.DLL']);
  await page.click('.symbols-link');
  const counts = page.locator('.wanted .frames');
  await expect
    .poll(async () => (await counts.allInnerTexts()).reduce((sum, text) => sum + Number.parseInt(text, 10), 0))
    .toBe(64);
  await expect.poll(() => page.locator('.symbols').innerText()).not.toContain('1AB1AB');
  await page.click('.wanted > li:first-child button.who');
  await expect.poll(() => page.locator('.wanted > li:first-child').innerText()).toContain('1AB1AB');
});

test('a command is written for the user’s shell, and the choice is kept', async () => {
  const p = await opened();
  const copy = '[aria-label="Copy command for atlas.exe"]';
  await p.page.click('.symbols-link');
  await p.page.click('button:has-text("Other commands")');
  await p.page.selectOption('.shells select', 'powershell');
  await p.page.click(copy);
  await expect.poll(() => clipboard(p)).toBe('Get-ChildItem -Recurse -Path . -Include atlas.pdb, atlas.exe');
  await p.page.click('[aria-label="Copy command for VCRUNTIME140.dll"]');
  await expect
    .poll(() => clipboard(p))
    .toBe(
      'curl.exe -fL --remote-name-all https://msdl.microsoft.com/download/symbols/VCRUNTIME140.pdb/ID/VCRUNTIME140.pdb https://msdl.microsoft.com/download/symbols/VCRUNTIME140.dll/6546F2471a000/VCRUNTIME140.dll',
    );
  await p.page.reload();
  await p.page.waitForSelector('h1');
  await p.open(poor());
  await p.page.click('.symbols-link');
  await p.page.click('button:has-text("Other commands")');
  await expect.poll(() => p.page.locator('.shells select').inputValue()).toBe('powershell');
  expect(p.complaints).toEqual([]);
});

test('the command of the first file is one action away, on a phone a link', async () => {
  const p = await opened();
  await p.page.click('.wanted .act');
  await expect.poll(() => clipboard(p)).toMatch(/atlas\.pdb/);
  const phone = await opened(360, 800);
  await expect.poll(() => phone.page.locator('.command').count()).toBe(0);
});

test('guesses look like guesses, fold, and end at one', async () => {
  const {page} = await opened();
  await expect.poll(() => page.locator('.stack-region .region-head').innerText()).toContain('1 frame, 63 guesses');
  await expect.poll(() => page.locator('h1').innerText()).toContain('probably in ~ atlas.exe + 0x4a21c');
  const rows = await page.locator('.stack tbody tr').allInnerTexts();
  expect(rows[1]).toContain('63 words that look like return addresses');
  expect(rows.filter(row => row.includes('possible callers'))).toHaveLength(1);
  expect(rows.at(-1)).toContain('Ends at a guess');
  const guesses = page.locator('tr.frame:not(:has(.crash))');
  await expect.poll(() => guesses.count()).toBe(6);
  await expect.poll(() => page.locator('tr.frame .tilde').count()).toBe(6);
  for (const node of await guesses.locator('.node > span').all()) {
    await expect.poll(() => node.evaluate(e => getComputedStyle(e).borderTopStyle)).toBe('dashed');
  }
  await page.click('button:has-text("possible callers")');
  await expect.poll(() => page.locator('tr.frame').count()).toBe(64);
});

test('the first own frame is selected; its line is no action away', async () => {
  const {page} = await opened();
  await expect.poll(() => page.locator('tr.frame.selected').innerText()).toContain('atlas.exe + 0x4a21c');
  await expect.poll(() => page.locator('.inspector h2 .tilde').count()).toBe(1);
});

/** Own code between runs of the system's. */
const certain = (): Report => {
  const system = (i: number, name: string) => frame(i, {function: name, module: 'libc.so.6', is_system: true});
  const stack = [system(0, 'raise'), system(1, 'abort'), frame(2, 'harbor::parse(int)'), frame(3, 'main')];
  return report({
    threads: [thread([...stack, system(4, '__libc_start_call_main'), system(5, '_start')], {crashed: true})],
    verdict: {...report().verdict, what: 'abort', where: 'harbor::parse', row: 2, crashed: true},
    crash_info: {...report().crash_info, crashing_thread: 0},
  });
};

test('system frames fold; one key shows all, and that is remembered', async () => {
  const p = await harness.page();
  await p.open(certain());
  const names = (): Promise<string[]> => p.page.locator('.stack tbody .function, .stack .fold .words').allInnerTexts();
  await expect
    .poll(async () => (await names()).map(name => name.trim().replace(/\s+/g, ' ')))
    .toEqual([
      '2 system frames raise ← abort',
      'harbor::parse(int)',
      'main',
      '2 system frames __libc_start_call_main ← _start',
    ]);
  await expect.poll(() => p.page.locator('.fold .crash').count()).toBe(1);
  const weight = (name: string): Promise<string> =>
    p.page.locator(`tr.frame:has-text("${name}") .name`).evaluate(e => getComputedStyle(e).fontWeight);
  await expect.poll(() => weight('harbor')).toBe('700');
  await p.page.keyboard.press('f');
  await expect.poll(() => p.page.locator('tr.frame').count()).toBe(6);
  await expect.poll(() => weight('abort')).toBe('400');
  await p.page.reload();
  await p.page.waitForSelector('h1');
  await p.open(certain());
  await expect.poll(() => p.page.locator('tr.frame').count()).toBe(6);
});

test('a link into a fold opens it', async () => {
  const p = await harness.page();
  await p.open(certain());
  await p.page.evaluate(() => {
    location.hash = '#d=1&t=0&f=1';
  });
  await expect.poll(() => p.page.locator('tr.frame.selected:has-text("abort")').count()).toBe(1);
});
