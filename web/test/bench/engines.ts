// The page in the engines that have no record of long tasks, from the drop on: what runs on the page's thread is seen by a clock that ticks there.
import type {EngineUnderTest, Tab} from '../engines/engine.ts';
import {ready} from '../engines/page.ts';
import {highestOf} from './memory.ts';
import type {Contestant} from './turns.ts';

/** How long the page has been there, in ms: the workers prepare themselves meanwhile. */
const MOMENT = 3000;

/** How a process that shows pages is called on the command line. */
const SHOWS: Readonly<Record<EngineUnderTest['name'], RegExp>> = {
  Chromium: /--type=renderer/,
  Firefox: /-contentproc.*\btab\0?$/,
  WebKit: /WebKitWebProcess/,
};

interface Noted {
  start: number;
  first: number;
  named: number;
  longest: number;
}

/** In the page: notes when files were given, when frames and a function stood there, and the longest time between two ticks. */
export function watch(wanted: string): void {
  const noted: Noted = {start: 0, first: 0, named: 0, longest: 0};
  Object.assign(globalThis, {noted});
  document.addEventListener(
    'change',
    () => {
      noted.start ||= performance.now();
    },
    true,
  );
  const note = (): void => {
    if (!noted.first && document.querySelector('.stack-region tr.frame')) noted.first = performance.now();
    if (!noted.named && document.body.textContent?.includes(wanted)) noted.named = performance.now();
  };
  new MutationObserver(note).observe(document.body, {childList: true, subtree: true, characterData: true});
  const {port1, port2} = new MessageChannel();
  let last = performance.now();
  port1.onmessage = () => {
    const now = performance.now();
    if (noted.start > 0) noted.longest = Math.max(noted.longest, now - last);
    last = now;
    setTimeout(() => port2.postMessage(null), 1);
  };
  port2.postMessage(null);
}

const noted = (tab: Tab): Promise<Noted> => tab.run(() => Reflect.get(globalThis, 'noted') as Noted);

/** Drops files in an engine, as openBrowser does in Chromium. */
export const openEngine =
  (engine: EngineUnderTest, url: string, files: readonly string[], wanted: string): Contestant =>
  async () => {
    const memory = highestOf(SHOWS[engine.name]);
    const {tab, close} = await engine.start();
    try {
      await tab.open(url);
      await ready(tab);
      await new Promise(resolve => setTimeout(resolve, MOMENT));
      const resting = memory();
      await tab.run(watch, wanted);
      await tab.choose('input[type=file]', files);
      let seen = await noted(tab);
      for (let waits = 0; !seen.named && waits < 3000; waits++) {
        await new Promise(resolve => setTimeout(resolve, 100));
        seen = await noted(tab);
      }
      if (!seen.named) throw new Error(`${engine.name} shows no ${wanted}`);
      await new Promise(resolve => setTimeout(resolve, 2500)); // what is drawn after that
      const {start, first, named, longest} = await noted(tab);
      return {seconds: (named - start) / 1000, first: (first - start) / 1000, memory: memory() - resting, longest};
    } finally {
      await close();
    }
  };
