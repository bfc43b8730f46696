// The page in Chromium, from the drop on.
import type {Page} from 'playwright-core';
import {launch} from '../browser.ts';
import {highestOf} from './memory.ts';
import type {Contestant} from './turns.ts';

/** The innermost function of the dump's crashing thread, in whatever way it is cut on the page; another dump has another. */
export const FUNCTION = 'input_len';

/** How long the page has been there, in ms: the workers prepare themselves meanwhile. */
const MOMENT = 3000;

/** What the page notes about itself. */
interface Noted {
  start: number;
  first: number;
  named: number;
  longest: number;
  linear: number;
}

/** In the page: notes when files were given, when frames and the function stood there, long tasks, and workers' memory. */
function watch(wanted: string): void {
  const noted: Noted = {start: 0, first: 0, named: 0, longest: 0, linear: 0};
  Object.assign(globalThis, {noted});
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (this: Worker, message: {kind: string}) {
    if (message.kind === 'start') {
      this.addEventListener('message', ({data}) => {
        if (data.kind === 'pong') noted.linear = Math.max(noted.linear, data.memory);
      });
    }
    post.call(this, message);
  };
  addEventListener('DOMContentLoaded', () => {
    const start = (): void => {
      noted.start ||= performance.now();
    };
    document.addEventListener('change', start, true);
    new MutationObserver(() => {
      if (!noted.first && document.querySelector('.stack-region tr.frame')) noted.first = performance.now();
      if (!noted.named && document.body.textContent?.includes(wanted)) noted.named = performance.now();
    }).observe(document.body, {childList: true, subtree: true, characterData: true});
  });
  new PerformanceObserver(list => {
    for (const {startTime, duration} of list.getEntries()) {
      if (noted.start > 0 && startTime >= noted.start) noted.longest = Math.max(noted.longest, duration);
    }
  }).observe({type: 'longtask'});
}

export const openBrowser =
  (url: string, files: string[], wanted = FUNCTION): Contestant =>
  async () => {
    const highest = highestOf(/--type=renderer/);
    const browser = await launch();
    try {
      const context = await browser.newContext();
      await context.addInitScript(watch, wanted);
      const page = await context.newPage();
      await page.goto(url);
      await page.waitForSelector('.local:has-text("0 requests")');
      await page.waitForTimeout(MOMENT);
      const resting = highest();
      const {start, first, named} = await drop(page, files);
      await page.waitForTimeout(2500); // what is drawn after that, and a beat of every worker
      const {longest, linear} = await noted(page);
      return {
        seconds: (named - start) / 1000,
        first: (first - start) / 1000,
        memory: highest() - resting,
        longest,
        linear,
      };
    } finally {
      await browser.close();
    }
  };

const noted = (page: Page): Promise<Noted> => page.evaluate(() => Reflect.get(globalThis, 'noted'));

async function drop(page: Page, files: string[]): Promise<Noted> {
  await page.locator('input[type=file]').first().setInputFiles(files);
  await page.waitForFunction(() => Reflect.get(globalThis, 'noted').named > 0, undefined, {timeout: 300_000});
  return noted(page);
}
