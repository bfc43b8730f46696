// The pictures of docs/tour.md and docs/pictures.md, light and dark, as WebP: `./build.sh pictures`.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {project} from './browser.ts';
import {startHarness} from './harness/page.ts';
import setup from './harness/setup.ts';
import {views} from './shown.ts';

const folder = 'docs/pictures';
const tour = ['symbols', 'nosymbols', 'variables', 'parallel', 'hang', 'triage', 'share'];
const others = ['empty', 'threads', 'source', 'evidence', 'hex', 'map', 'compare', 'overlay', 'shared', 'keys'];

/** Small letters stay sharp, and a picture is 30 to 70 KB. */
const QUALITY = 55;

async function picture(page: Page): Promise<Buffer> {
  const cdp = await page.context().newCDPSession(page);
  const {data} = await cdp.send('Page.captureScreenshot', {format: 'webp', quality: QUALITY});
  await cdp.detach();
  return Buffer.from(data, 'base64');
}

await setup();
const harness = await startHarness();
mkdirSync(project(folder), {recursive: true});
for (const name of [...tour, ...others]) {
  const p = await harness.page();
  await views[name]?.(p);
  for (const colorScheme of ['light', 'dark'] as const) {
    await p.page.emulateMedia({colorScheme, reducedMotion: 'reduce'});
    await p.page.evaluate(() => new Promise(requestAnimationFrame));
    writeFileSync(join(project(folder), `${name}-${colorScheme}.webp`), await picture(p.page));
  }
}
await harness.close();
