// Pictures of every view, 1440, 768 and 360 pixels wide, light and dark, to be looked at: `npm run shots [FOLDER]`.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {project} from './browser.ts';
import {fixture, type HarnessPage, startHarness} from './harness/page.ts';
import setup from './harness/setup.ts';
import {frame, report, thread} from './make.ts';

const folder = process.argv[3] ?? project('web/test-results/shots');

const views: Readonly<Record<string, (p: HarnessPage) => Promise<void>>> = {
  empty: async () => undefined,
  problems: async ({page, give}) => {
    await give('notes.txt', {refuse: 'This is text, not a dump, symbols or an archive.'});
    await page.waitForSelector('.problems');
  },
  reading: async ({page, give}) => {
    await give('libxul.dmp', {report: report(), wait: 60_000});
    await page.waitForSelector('.skeleton');
  },
  symbols: async ({open}) => open(fixture('threads'), 'core_threads_o2.dmp'),
  nosymbols: async ({page, open}) => {
    await open(fixture('chromium'), 'chromium_renderer.dmp');
    await page.click('tr.frame:has(.guess)');
  },
  threads: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await page.keyboard.press('x');
  },
  badge: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await page.click('.badge.cause');
  },
  keys: async ({page, open}) => {
    await open(fixture('threads'), 'core_threads_o2.dmp');
    await page.keyboard.press('?');
  },
  request: async ({open}) => open(report({threads: [thread([frame(0, 'main')])]}), 'on_request.dmp'),
};

await setup();
mkdirSync(folder, {recursive: true});
const harness = await startHarness();
for (const [name, show] of Object.entries(views)) {
  for (const width of [1440, 768, 360]) {
    const p = await harness.page({viewport: {width, height: width === 360 ? 780 : 900}});
    await show(p);
    for (const colorScheme of ['light', 'dark'] as const) {
      await p.page.emulateMedia({colorScheme});
      await p.page.screenshot({path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: width !== 1440});
    }
  }
}
await harness.close();
process.stdout.write(`${folder}\n`);
