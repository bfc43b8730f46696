// axe-core finds nothing to complain of in any view, light and dark, wide and narrow.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import type {AxeResults} from 'axe-core';
import type {Page} from 'playwright-core';
import {expect, test} from 'vitest';
import {fixture, type HarnessPage} from './harness/page.ts';
import {useHarness} from './harness/tests.ts';
import {deadlocked, frame, report, thread} from './make.ts';
import {everything} from './values.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const harness = useHarness();

/** What axe finds in a part of the page, by all its rules or by some. Passed checks are left out, because describing them takes long. */
async function violations(page: Page, part: string, rules: readonly string[] | null): Promise<string[]> {
  const results = await page.evaluate(
    ({part, rules}) => {
      const {axe} = window as unknown as {axe: {run(of: string, options: object): Promise<AxeResults>}};
      // axe does not look at the size of targets by itself.
      const which = rules ? {runOnly: rules} : {rules: {'target-size': {enabled: true}}};
      return axe.run(part, {resultTypes: ['violations'], preload: false, ...which});
    },
    {part, rules},
  );
  return results.violations.flatMap(v =>
    v.nodes.map(node => `${v.id}: ${node.target.join(' ')}: ${node.failureSummary}`),
  );
}

const views: Readonly<Record<string, (p: HarnessPage) => Promise<void>>> = {
  empty: async () => undefined,
  'symbols without a dump': async ({page, give}) => {
    await give('a.sym', {symbols: true});
    await give('b.pdb', {symbols: true});
    await page.waitForSelector('.ready tbody tr:nth-child(2)');
  },
  problems: async ({page, give}) => {
    await give('x', {refuse: 'Not a dump.'});
    await page.waitForSelector('.problems');
  },
  reading: async ({page, give}) => {
    await give('x.dmp', {report: report(), waits: true});
    await page.waitForSelector('.skeleton');
  },
  'with symbols': async ({open}) => open(fixture('threads')),
  'without symbols': async ({open}) => open(fixture('chromium')),
  'everything open': async ({page, open}) => {
    await open(fixture('threads'));
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    await page.keyboard.press('x');
    await page.click('.text-file button');
  },
  bytes: async ({page, open}) => {
    await open(fixture('threads'));
    await page.fill('#find-bytes', 'hi');
    await page.press('#find-bytes', 'Enter');
    await page.click('.places button');
    await page.waitForSelector('.hex .caret:not(.absent)');
  },
  'all ids of a crash without symbols': async ({page, open}) => {
    await open(fixture('chromium'));
    await page.click('.symbols-link');
    for (const button of await page.locator('.wanted button.who').all()) await button.click();
    await page.click('button:has-text("Other commands")');
  },
  'the search over everything': async ({page, open}) => {
    await open(fixture('threads'));
    await page.keyboard.press('/');
    await page.fill('#find-field', 'work');
  },
  'parallel stacks': async ({page, open}) => {
    await open(fixture('threads'));
    await page.click('button:has-text("Parallel stacks")');
  },
  'several dumps': async ({page, open, give}) => {
    await open(fixture('threads'), 'one.dmp');
    await give('two.dmp', {report: fixture('chromium')});
    await page.click('button:has-text("All dumps")');
    const buffer = Buffer.from(
      '{"groups": [{"kind": "crash", "signature": "lost", "rules": "crashglass", "count": 2}]}',
    );
    await page.setInputFiles('input[data-opens=files]', {name: 'base.json', mimeType: '', buffer});
    await page.waitForSelector('tr.gone');
  },
  'two dumps side by side': async ({page, open, give}) => {
    await open(fixture('threads'), 'one.dmp');
    await give('two.dmp', {report: fixture('chromium')});
    await page.waitForSelector('.dump:has-text("two.dmp")');
    await page.click('button:has-text("All dumps")');
    for (const key of ['j', ' ', 'j', ' ']) await page.keyboard.press(key);
    await page.click('.comparing button');
    await page.waitForSelector('.pair-table');
  },
  'source, and a link that leads elsewhere': async ({page, open}) => {
    await open(fixture('threads'));
    const buffer = Buffer.from('int line;\n'.repeat(40));
    await page.setInputFiles('input[data-opens=files]', {name: 'threads.cpp', mimeType: '', buffer});
    await page.waitForSelector('.source-panel tr.crash');
    await page.keyboard.press('d');
    await page.waitForSelector('.code-panel .source');
    await page.evaluate(() => {
      location.hash = '#d=1&h=00000000&t=0&f=0';
    });
    await page.waitForSelector('.link-note');
  },
  'a scanned frame': async ({page, open}) => {
    await open(fixture('chromium'));
    await page.click('tr.frame:has(.guess)');
  },
  variables: async ({page, open}) => {
    await open(everything());
    await page.click('.variable .name:has-text("batch")');
    await page.click('.variable .name:has-text("entries")');
  },
  'why a value': async ({page, open}) => {
    await open(everything());
    await page.locator('.variable:has-text("index")').focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.popover:popover-open');
  },
  'all facts': async ({page, open}) => {
    await open(fixture('threads'));
    await page.click('.facts button');
  },
  sharing: async ({page, open}) => {
    await open(fixture('threads'));
    await page.keyboard.press('s');
    await page.click('#share-popover button:has-text("Make")');
    await page.click('#share-dump');
    await page.waitForSelector('.cleaned');
  },
  'a stream and its fields': async ({page, open}) => {
    await open(fixture('threads'));
    await page.click('#streams button:has-text("ThreadList")');
    await page.waitForSelector('.fields .option[aria-selected=true]');
  },
  'the keys': async ({page, open}) => {
    await open(fixture('threads'));
    await page.keyboard.press('?');
  },
  'threads that wait for each other': async ({page, open}) => {
    await open(deadlocked());
    await page.click('.hang-waits > summary');
    await page.click('.hang-table td button');
  },
  'no threads': async ({open}) => open({...report(), threads: null}),
  'no crash': async ({open}) => open(report({threads: [thread([frame(0, 'main')])]})),
};

/**
 * What these views add to the page of another view, which is checked there at all widths and in both schemes. The whole page is checked
 * once more with it, and then this part alone.
 */
const parts: Readonly<Record<string, string>> = {
  bytes: '#memory',
  'all ids of a crash without symbols': '.symbols, .symbols-link',
  'the search over everything': '#find',
  'source, and a link that leads elsewhere': '.link-note, #inspector',
  'a scanned frame': 'tr.frame.selected, #inspector',
  sharing: '#share',
  'a stream and its fields': '.overlay',
  'the keys': 'dialog[open]',
};

const widths = [1440, 768, 360] as const;

/** The rules for each scheme: dark changes colours alone. They are the same at 768 px as at 1440. */
const schemes = {light: null, dark: ['color-contrast', 'link-in-text-block']} as const;
const isSeen = (scheme: keyof typeof schemes, width: number): boolean => scheme === 'light' || width !== 768;

test.each(Object.keys(views))('%s', {timeout: 120_000}, async name => {
  const p = await harness.page();
  await views[name]?.(p);
  await p.page.evaluate(source);
  for (const width of widths) {
    await p.page.setViewportSize({width, height: 900});
    for (const [colorScheme, rules] of Object.entries(schemes) as [keyof typeof schemes, readonly string[] | null][]) {
      if (!isSeen(colorScheme, width)) continue;
      await p.page.emulateMedia({colorScheme});
      await p.page.evaluate(() => new Promise(requestAnimationFrame));
      const part = p.page.viewportSize()?.width === widths[0] && rules === null ? 'html' : (parts[name] ?? 'html');
      await p.page.waitForSelector(part);
      await p.page.evaluate(() => scrollTo(0, 0)); // the bar at the top covers what is scrolled under it
      expect(await violations(p.page, part, rules), `${width} px, ${colorScheme}`).toEqual([]);
    }
  }
});
