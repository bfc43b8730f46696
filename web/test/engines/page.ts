// The page as any engine shows it: what it takes to be ready, to be given files, and to be read.
import type {Tab} from './engine.ts';

/** Waits in the page until an element is there whose text has some words. */
export const until = (tab: Tab, selector: string, words = ''): Promise<void> =>
  tab.run(
    async (selector, words) => {
      const start = performance.now();
      const there = (): boolean =>
        [...document.querySelectorAll(selector)].some(e => (e.textContent ?? '').replace(/\s+/g, ' ').includes(words));
      while (!there()) {
        if (performance.now() - start > 90_000) throw new Error(`no ${selector} with "${words}" in 90 s`);
        await new Promise(resolve => setTimeout(resolve, 20));
      }
    },
    selector,
    words,
  );

/** Waits until the page is locked and can read dumps. */
export const ready = (tab: Tab): Promise<void> => until(tab, '.local', '0 requests');

/** The texts of elements, with one space where there is any. */
export const texts = (tab: Tab, selector: string): Promise<string[]> =>
  tab.run(
    selector => [...document.querySelectorAll(selector)].map(e => (e.textContent ?? '').replace(/\s+/g, ' ').trim()),
    selector,
  );

export const click = (tab: Tab, selector: string): Promise<void> =>
  tab.run(selector => {
    const element = document.querySelector<HTMLElement>(selector);
    if (!element) throw new Error(`no ${selector}`);
    element.click();
  }, selector);

/** A file as it goes to the page: its name and its bytes in base64. */
export type Dropped = readonly [name: string, base64: string];

/** Drops files on the page. No protocol can drag a file from outside, so the event is made in the page: what it lacks against a real one are entries of folders. */
export const drop = (tab: Tab, files: readonly Dropped[]): Promise<void> =>
  tab.run(files => {
    const dataTransfer = new DataTransfer();
    for (const [name, base64] of files) {
      dataTransfer.items.add(new File([Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))], name));
    }
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, {dataTransfer, bubbles: true, cancelable: true}));
    }
  }, files);
