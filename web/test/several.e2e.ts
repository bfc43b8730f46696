// Several dumps: the table of all, two side by side, and links into one of them.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {describe, expect, test} from 'vitest';
import type {Report} from '../src/report.ts';
import {dropFiles, hashOf} from './browser.ts';
import {fixture, type HarnessPage} from './harness/page.ts';
import {texts, useHarness} from './harness/tests.ts';
import {frame, report, thread} from './make.ts';

const harness = useHarness();

const next = async (p: HarnessPage, name: string, of: Report): Promise<void> => {
  await p.give(name, {report: of});
  await p.page.waitForSelector(`.dump:has-text("${name}")`);
};

/** A dump of the same crash in another file. */
const another = (of: Report): Report => ({...of, dump: {...of.dump, hash: `e${of.dump.hash?.slice(1)}`}});

/** threads, chromium, threads again and a dump without a crash, shown as a table. */
const table = async (): Promise<HarnessPage> => {
  const p = await harness.page();
  await p.open(fixture('threads'), 'one.dmp');
  await next(p, 'two.dmp', fixture('chromium'));
  await next(p, 'three.dmp', another(fixture('threads')));
  await next(p, 'asked.dmp', report({threads: [thread([frame(0, 'main')])]}));
  await p.page.click('button:has-text("All dumps")');
  await p.page.waitForSelector('.triage-table');
  return p;
};

describe('the table', () => {
  test('groups by signature or reason, and the panel shows the selected group', async () => {
    const {page, complaints} = await table();
    const titles = (): Promise<string[]> => texts(page, '.triage-table th[scope=row]');
    await expect
      .poll(() => titles())
      .toEqual([
        'middle ← work::Queue<Node*>::drain ← work::process',
        expect.stringMatching(/^chromium \+ 0x9c5a510/),
        'No crash found',
      ]);
    await expect.poll(() => texts(page, '.triage-panel h2')).toEqual(['Null pointer read in middle']);
    await expect
      .poll(() => texts(page, '.joined li'))
      .toEqual([
        'middlethreads.cpp:12',
        'work::Queue<Node*>::drainthreads.cpp:13',
        'work::processthreads.cpp:14',
        'crasherthreads.cpp:20',
        '3 system frames',
      ]);
    await expect.poll(() => texts(page, '.triage-panel .dumps a')).toEqual(['one.dmp', 'three.dmp']);
    await page.click('.triage-table tr:has-text("chromium")');
    await expect.poll(() => texts(page, '.triage-panel .dumps a')).toEqual(['two.dmp']);
    await page.selectOption('select[aria-label=Group]', 'Group: reason');
    await expect
      .poll(() => titles())
      .toEqual(['SIGSEGV ← in threads_o2', expect.stringMatching(/^SIGSEGV/), 'No crash found']);
    await page.selectOption('select[aria-label=Sort]', 'Sort: signature');
    await page.selectOption('select[aria-label=Group]', 'Group: signature');
    await expect.poll(async () => (await titles())[0]).toMatch(/^chromium/);
    expect(complaints).toEqual([]);
  });

  test('is filtered by anything that it shows', async () => {
    const {page} = await table();
    await page.fill('#filter-crashes', 'CHROMIUM');
    await expect.poll(() => texts(page, '.dumps a')).toEqual(['two.dmp']);
    await page.fill('#filter-crashes', 'nothing of this');
    await expect.poll(() => page.locator('.triage-table tbody tr').count()).toBe(0);
    await page.waitForSelector('p:has-text("No crashes match")');
  });

  test('says which crashes want symbols', async () => {
    const {page} = await table();
    const wants = async (): Promise<boolean[]> =>
      (await texts(page, '.triage-table th[scope=row]')).map(text => text.includes('?wants symbols'));
    await expect.poll(wants).toEqual([false, true, false]);
  });

  test('goes by keys: rows, two dumps to compare, and into one of them', async () => {
    const {page} = await table();
    const focused = (row: number): Promise<unknown> =>
      page.waitForSelector(`.triage-table tbody tr.selected:nth-child(${row}) .signature:focus`);
    await page.keyboard.press('j');
    await focused(1);
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await focused(2);
    await page.keyboard.press('Space');
    await page.waitForSelector('.comparing caption:has-text("changes")');
    await page.keyboard.press('k');
    await focused(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => texts(page, 'tr.selected .function')).toEqual(['middle']);
  });

  test('stacks of one group that part have their counts, and what changed between two dumps is listed', async () => {
    const {page} = await harness.page().then(async p => {
      const base = fixture('threads');
      const [first, ...others] = base.threads ?? [];
      const frames = first?.frames?.map((f, i) => (i === 1 ? {...f, function: 'resume()', inlines: null} : f)) ?? [];
      const other = {...base, threads: first ? [{...first, frames}, ...others] : []};
      await p.open(base, 'one.dmp');
      await next(p, 'two.dmp', another(other));
      await p.page.click('button:has-text("All dumps")');
      return p;
    });
    await expect
      .poll(() => texts(page, '.joined .parts'))
      .toEqual(['crasherthreads.cpp:201 of 2', 'resumethreads.cpp:201 of 2']);
    for (const name of ['one.dmp', 'two.dmp']) await page.check(`input[aria-label="Compare ${name}"]`);
    await expect.poll(() => texts(page, '.comparing tbody tr')).toEqual(['Frame 3crasherresume']);
    await expect
      .poll(() => texts(page, '.comparing caption'))
      .toEqual([expect.stringMatching(/^1 change \d+ the same/)]);
  });

  test('says what is new, grown and gone since a baseline', async () => {
    const {page} = await table();
    const group = (signature: string | null | undefined): object => ({
      kind: 'crash',
      signature,
      rules: 'crashglass',
      count: 1,
    });
    const groups = [group(fixture('threads').signature), group('lost | f')];
    const buffer = Buffer.from(JSON.stringify({groups}));
    await page.setInputFiles('input[data-opens=files]', {name: 'base.json', mimeType: '', buffer});
    await expect
      .poll(() => texts(page, '.triage-table .since'))
      .toEqual(['Status', 'New', 'Grown from 1', '', 'Gone from 1']);
    await expect
      .poll(() => texts(page, '.against'))
      .toEqual(['1 signature new, 1 grown, 0 known, 1 gone against base.json']);
    await page.click('button:has-text("Without the baseline")');
    await expect.poll(() => page.locator('.triage-table .since:visible').count()).toBe(0);
  });

  test('copies what it shows, and shares no dump that is not shown', async () => {
    const {page} = await table();
    await page.keyboard.press('s');
    await expect
      .poll(() => texts(page, '#share-popover:popover-open li'))
      .toEqual([
        'Copy the table as Markdown',
        'Copy the table as CSV',
        'Copy the table as JSON',
        'Download CSV',
        'Download JSON',
        'Save as baseline',
        'Copy a link to this place',
      ]);
  });

  test.each([2560, 1440, 1199, 768, 360])('fits into %i px', async width => {
    const {page} = await table();
    await page.setViewportSize({width, height: 900});
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page.click('.triage-table tr:has-text("chromium")');
    const at = (selector: string): Promise<number | undefined> =>
      page
        .locator(selector)
        .boundingBox()
        .then(box => box?.y);
    const row = (await at('.triage-table tr.selected')) ?? 0;
    const [head] = [await at('.panel-head')];
    if (width < 1200) expect(head).toBeGreaterThan(row);
    else expect(head).toBeLessThan(row);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});

test('a reload opens again what was dropped, and Back what was looked at', async () => {
  const {page} = await harness.page();
  const folder = mkdtempSync(join(tmpdir(), 'crashglass-again-'));
  const file = join(folder, 'crash.dmp');
  writeFileSync(file, JSON.stringify({report: fixture('threads')}));
  await dropFiles(page, [file]);
  await page.click('button:has-text("Parallel stacks")');
  await page.locator('.stored:has-text("1 file")').waitFor();
  await page.reload();
  await page.waitForSelector('#parallel-title');
  rmSync(folder, {recursive: true});
  await page.goBack();
  await page.waitForSelector('.facts');
});

describe('two dumps side by side', () => {
  const mark = async ({page}: HarnessPage, name: string): Promise<void> => {
    await page.click(`.triage-table tr:has-text("${name === 'two.dmp' ? 'chromium' : 'middle'}")`);
    await page.check(`input[aria-label="Compare ${name}"]`);
  };
  const compared = async (...names: readonly string[]): Promise<HarnessPage> => {
    const p = await table();
    for (const name of names) await mark(p, name);
    await p.page.click('.comparing button');
    await p.page.waitForSelector('.pair-table');
    return p;
  };

  test('are chosen in the panel: not one, not three', async () => {
    const p = await table();
    await expect.poll(() => texts(p.page, '.comparing')).toEqual(['Mark two dumps to compare']);
    await mark(p, 'one.dmp');
    await expect.poll(() => texts(p.page, '.comparing')).toEqual(['Mark one more to compare']);
    for (const name of ['two.dmp', 'three.dmp']) await mark(p, name);
    await p.page.click('.comparing button');
    await expect.poll(() => texts(p.page, '.compare select option:checked')).toEqual(['two.dmp', 'three.dmp']);
  });

  test('of one crash have everything in common', async () => {
    const {page, complaints} = await compared('one.dmp', 'three.dmp');
    await expect.poll(() => texts(page, 'h1')).toEqual(['Two crashes with one signature']);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('title');
    await expect
      .poll(() => texts(page, '#changes .region-head .quiet'))
      .toEqual([expect.stringMatching(/^0 changed, \d+ the same$/)]);
    await expect.poll(() => page.locator('.pair-table tr.differs').count()).toBe(0);
    await page.click('#changes button:has-text("that are the same")');
    await expect.poll(() => page.locator('#changes tbody tr').count()).toBeGreaterThan(7);
    expect(complaints).toEqual([]);
  });

  test('of different crashes show in what they differ', async () => {
    const {page} = await compared('one.dmp', 'two.dmp');
    await expect.poll(() => texts(page, 'h1')).toEqual(['Two crashes with different signatures']);
    await expect
      .poll(() => texts(page, '#changes tbody tr:nth-child(2) > *'))
      .toEqual(['Signature', 'middle', 'chromium@0x9c5a510']);
    await expect.poll(() => page.locator('.pair-table tr.differs').count()).toBeGreaterThan(5);
    await expect.poll(async () => (await texts(page, '#changes tbody tr')).join()).toContain('not loaded');
  });

  test('can be swapped and chosen anew, and a row leads to its frame', async () => {
    const {page} = await compared('one.dmp', 'two.dmp');
    await page.click('button:has-text("Swap")');
    await expect.poll(() => texts(page, '.compare select option:checked')).toEqual(['two.dmp', 'one.dmp']);
    await page.selectOption('.compare select >> nth=0', {label: 'three.dmp'});
    await expect.poll(() => texts(page, 'h1')).toEqual(['Two crashes with one signature']);
    await page.click('.pair-table td:last-child button:has-text("crasher")');
    await expect.poll(() => texts(page, 'tr.selected .function')).toEqual(['crasher()']);
    await page.goBack();
    await expect.poll(() => texts(page, 'h1')).toEqual(['Two crashes with one signature']);
  });

  test('have a link', async () => {
    const {page} = await compared('one.dmp', 'two.dmp');
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#a=1&ah=9f86d081&b=2&bh=2c26b46b');
    await page.click('button:has-text("All dumps")');
    await page.evaluate(() => {
      location.hash = '#a=1&ah=2c26b46b&b=2&bh=9f86d081';
    });
    await page.waitForSelector('.pair-table');
    await expect.poll(() => texts(page, '.compare select option:checked')).toEqual(['two.dmp', 'one.dmp']);
  });
});

describe('a link', () => {
  test('leads a colleague with the same dump to the same place, whatever it is called', async () => {
    const {page, open, complaints} = await harness.page({}, '#d=7&h=9f86d081&t=0&f=1&v=registers');
    await page.waitForSelector(
      '.link-note:has-text("The link leads into a dump, the one whose hash begins with 9f86d081.")',
    );
    await open(fixture('threads'), 'renamed.dmp');
    await expect.poll(() => texts(page, 'tr.selected .function')).toEqual(['crasher()']);
    await expect.poll(() => texts(page, '[role=tab][aria-selected=true]')).toEqual(['Registers']);
    await expect.poll(() => page.locator('.link-note').count()).toBe(0);
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#d=1&h=9f86d081&t=0&f=1&v=registers');
    expect(complaints).toEqual([]);
  });

  test('into another dump says so, and waits for that one', async () => {
    const p = await harness.page({}, '#d=1&h=9f86d081&t=0&f=1');
    await p.open(fixture('chromium'), 'other.dmp');
    await expect
      .poll(() => texts(p.page, '.link-note p'))
      .toEqual([
        'The link leads into another dump, the one whose hash begins with 9f86d081. This one’s begins with 2c26b46b. Drop it, and the page goes there.',
      ]);
    await expect.poll(() => p.page.evaluate(() => location.hash)).toMatch(/^#d=1&h=2c26b46b/);
    await next(p, 'right.dmp', fixture('threads'));
    await expect.poll(() => texts(p.page, 'tr.selected .function')).toEqual(['crasher()']);
    await expect.poll(() => p.page.locator('.link-note').count()).toBe(0);
  });

  test('names the file, after a reload of the tab that showed it', async () => {
    const p = await harness.page();
    await p.open(fixture('threads'), 'crash of today.dmp');
    await p.page.click('tr.frame >> nth=2');
    await p.page.reload();
    await expect
      .poll(() => texts(p.page, '.link-note p'))
      .toEqual(['This tab showed crash of today.dmp. Drop it again, and the page goes where you were.']);
    await p.open(fixture('threads'), 'crash of today.dmp');
    await expect.poll(() => p.page.locator('.link-note').count()).toBe(0);
    await expect.poll(() => p.page.locator('tr.frame >> nth=2').getAttribute('aria-selected')).toBe('true');
  });

  test('can be dismissed', async () => {
    const {page, open} = await harness.page({}, '#d=1&h=00000000&t=0&f=1');
    await open(fixture('threads'));
    await page.click('.link-note button');
    await expect.poll(() => page.locator('.link-note').count()).toBe(0);
  });

  test('is copied by button and by key, and holds ordinals and the hash alone', async () => {
    const {page, open} = await harness.page({permissions: ['clipboard-read', 'clipboard-write']});
    await open(fixture('threads'), 'secret-name.dmp');
    await page.click('tr.frame:has-text("crasher")');
    await page.keyboard.press('l');
    await page.waitForSelector('.toast:has-text("Link copied")');
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    expect(link.hash).toBe('#d=1&h=9f86d081&t=0&f=1');
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.click('#share-button');
    await page.click('#share-popover button:has-text("Copy a link")');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link.href);
  });
});

describe('a session', () => {
  const open = async (): Promise<HarnessPage> => {
    const p = await harness.page();
    await p.open(fixture('threads'), 'one.dmp');
    await next(p, 'two.dmp', fixture('chromium'));
    return p;
  };
  const names = (page: Page): Promise<string[]> => texts(page, '#dumps-popover .link');

  test('has a dump once, however often it is given', async () => {
    const {page, give, complaints} = await open();
    await give('copy of one.dmp', {report: fixture('threads')});
    await page.waitForSelector('.toast:has-text("one.dmp is open already")');
    await expect.poll(() => texts(page, '.dump .cut')).toEqual(['one.dmp']);
    await expect.poll(() => names(page)).toEqual(['one.dmp', 'two.dmp']);
    expect(complaints).toEqual([]);
  });

  test('closes a dump, and opens it again where it was', async () => {
    const {page} = await open();
    await page.click('#more-button');
    await page.click('#more-popover button:has-text("Close two.dmp")');
    await expect.poll(() => texts(page, '.dump')).toEqual([expect.stringContaining('one.dmp')]);
    await page.click('.toast button:has-text("Undo")');
    await expect.poll(() => names(page)).toEqual(['one.dmp', 'two.dmp']);
    await expect.poll(() => texts(page, '.dump .cut')).toEqual(['two.dmp']);
  });

  test('closes all, and starts over', async () => {
    const {page, open: give} = await open();
    await page.click('button:has-text("All dumps")');
    await page.click('#more-button');
    await page.click('#more-popover button:has-text("Close all")');
    await page.waitForSelector('#reopen:has-text("Open 2 dumps again")');
    await expect.poll(() => hashOf(page)).toBe('');
    await page.click('#reopen');
    await page.waitForSelector('.dump, .all-dumps');
    await page.click('button:has-text("All dumps")');
    await page.click('#more-button');
    await page.click('#more-popover button:has-text("Close all")');
    await give(fixture('threads'), 'new.dmp');
    await expect.poll(() => page.locator('#reopen').count()).toBe(0);
  });

  test('is asked about before it is lost, and only then', async () => {
    const {page} = await harness.page();
    const loses = (of: Page): Promise<boolean> =>
      of.evaluate(() => !dispatchEvent(new Event('beforeunload', {cancelable: true})));
    await expect.poll(() => loses(page)).toBe(false);
    const p = await open();
    await expect.poll(() => loses(p.page)).toBe(true);
    await p.page.click('button:has-text("All dumps")');
    await p.page.click('#more-button');
    await p.page.click('#more-popover button:has-text("Close all")');
    await expect.poll(() => loses(p.page)).toBe(false);
  });
});
