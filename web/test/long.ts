// How long a thousand threads and five thousand modules take, from the report to the first view, and which tasks of the main
// thread are long while one scrolls: `node test/run.js test/long.ts`. Figures are of this machine at this moment.
import type {Page} from 'playwright-core';
import {startHarness} from './harness/page.ts';
import setup from './harness/setup.ts';
import {many} from './make.ts';

const runs = 5;

/** Milliseconds from the parsed report to the frame after it is shown. */
const shown = (page: Page, text: string): Promise<number> =>
  page.evaluate(async report => {
    const start = performance.now();
    JSON.parse(report);
    const parsing = performance.now() - start;
    const data = new DataTransfer();
    data.items.add(new File([report], 'huge.dmp'));
    const dropped = performance.now();
    document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}));
    while (!document.querySelector('.threads-region')) await new Promise(done => setTimeout(done, 0));
    await new Promise(requestAnimationFrame);
    return performance.now() - dropped - parsing;
  }, text);

/** The longest tasks while the page is scrolled from its top to its end by the wheel. */
async function scrolled(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const found: number[] = [];
    (window as unknown as {found: number[]}).found = found;
    new PerformanceObserver(list => found.push(...list.getEntries().map(entry => entry.duration))).observe({
      type: 'longtask',
      buffered: false,
    });
  });
  await page.mouse.move(300, 600);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let at = 0; at < height; at += 400) {
    await page.mouse.wheel(0, 400);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  return page.evaluate(() => (window as unknown as {found: number[]}).found.map(Math.round));
}

await setup();
const harness = await startHarness();
const text = JSON.stringify({report: many(1000)});
for (let run = 0; run < runs; run++) {
  const {page} = await harness.page();
  const first = await shown(page, text);
  const tasks = await scrolled(page);
  process.stdout.write(
    `first view ${Math.round(first)} ms; tasks above 50 ms while scrolling: ${tasks.join(', ') || 'none'}\n`,
  );
}
await harness.close();
