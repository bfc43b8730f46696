// Pictures of every view, 1440, 768 and 360 pixels wide, light and dark, to be looked at: `npm run shots [FOLDER [VIEW...]]`.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {project} from './browser.ts';
import {startHarness} from './harness/page.ts';
import setup from './harness/setup.ts';
import {views} from './shown.ts';

const folder = process.argv[3] ?? project('web/test-results/shots');
const wanted = process.argv.slice(4);

await setup();
mkdirSync(folder, {recursive: true});
const harness = await startHarness();
for (const [name, show] of Object.entries(views)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const width of [1440, 768, 360]) {
    const p = await harness.page({viewport: {width, height: width === 360 ? 780 : 900}});
    await show(p);
    for (const colorScheme of ['light', 'dark'] as const) {
      await p.page.emulateMedia({colorScheme});
      // A whole page begins at its top: what sticks to a scrolled one would stand in the middle of the picture.
      if (width !== 1440) await p.page.evaluate(() => scrollTo(0, 0));
      await p.page.screenshot({path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: width !== 1440});
    }
  }
}
await harness.close();
process.stdout.write(`${folder}\n`);
