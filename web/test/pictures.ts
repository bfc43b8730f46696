// The pictures of docs/tour.md, which are of the built page, and of docs/pictures.md, light and dark, as WebP: `./build.sh pictures`.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {launch, openFresh, project, serve} from './browser.ts';
import {startHarness} from './harness/page.ts';
import setup from './harness/setup.ts';
import {views} from './shown.ts';
import {tour} from './tour.ts';

const folder = 'docs/pictures';
const others = ['empty', 'threads', 'source', 'evidence', 'hex', 'map', 'compare', 'overlay', 'shared', 'keys'];

/** Small letters stay sharp, and a picture is 30 to 70 KB. */
const QUALITY = 55;

async function picture(page: Page): Promise<Buffer> {
  const cdp = await page.context().newCDPSession(page);
  const {data} = await cdp.send('Page.captureScreenshot', {format: 'webp', quality: QUALITY});
  await cdp.detach();
  return Buffer.from(data, 'base64');
}

async function take(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({colorScheme, reducedMotion: 'reduce'});
    await page.evaluate(() => new Promise(requestAnimationFrame));
    writeFileSync(join(project(folder), `${name}-${colorScheme}.webp`), await picture(page));
  }
}

await setup();
mkdirSync(project(folder), {recursive: true});
const [site, browser] = await Promise.all([serve(project('dist')), launch()]);
for (const [name, show] of Object.entries(tour)) {
  const {page} = await openFresh(browser, site);
  await show(page);
  await take(page, name);
}
await browser.close();
site.close();
const harness = await startHarness();
for (const name of others) {
  const p = await harness.page();
  await views[name]?.(p);
  await take(p.page, name);
}
await harness.close();
