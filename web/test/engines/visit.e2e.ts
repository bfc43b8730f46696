// The main paths in each engine: a drop, the crash, threads and keys, what is shared, and the next visit without a network.
import {readFileSync} from 'node:fs';
import {basename} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {project, type Site, serve} from '../browser.ts';
import {inEachEngine} from './all.ts';
import {violations} from './axe.ts';
import type {Running, Tab} from './engine.ts';
import {click, type Dropped, drop, ready, texts, until} from './page.ts';

const example = (name: string): string => project(`web/example/${name}`);

const dropped = (name: string): Dropped => [basename(name), readFileSync(example(name)).toString('base64')];

inEachEngine(engine => {
  let site: Site;
  let browser: Running;
  let tab: Tab;

  beforeAll(async () => {
    site = await serve(project('dist'));
    browser = await engine.start();
    tab = browser.tab;
    await tab.open(site.url);
    await ready(tab);
    site.requests.length = 0;
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close().catch(() => undefined);
  });

  const rows = (): Promise<string[]> => texts(tab, '.stack-region tr.frame th.function');
  const selected = (): Promise<string[]> => texts(tab, 'tr.selected th.function');

  test('a dropped dump is read', async () => {
    await drop(tab, [dropped('crash.dmp')]);
    await until(tab, '.verdict', 'Null pointer read');
  });

  test('symbols of the file dialog name its frames', async () => {
    await tab.choose('input[data-opens=files]', ['desk.sym', 'libc.sym', 'libstdcpp.sym'].map(example));
    await until(tab, 'tr.frame', 'desk::serve');
    await tab.press('f'); // all frames, the system's too
    await until(tab, 'tr.frame', '__clone3');
    await expect
      .poll(async () => (await rows()).join(' '))
      .toMatch(/desk::available.*desk::serve.*start_thread.*__clone3/);
    await expect
      .poll(() => texts(tab, '.verdict'))
      .toEqual([expect.stringContaining('desk::available at crash.cpp:33')]);
  });

  test('axe finds nothing', async () => {
    expect(await violations(tab)).toEqual([]);
  });

  test('keys go through frames and threads, and to the evidence', async () => {
    const [first, second] = await rows();
    await expect.poll(() => selected()).toEqual([first]);
    await tab.press('j');
    await expect.poll(() => selected()).toEqual([second]);
    await tab.press('k', 'Enter', '4');
    await until(tab, '[role=tab][aria-selected=true]', 'Evidence');
    await tab.press('Escape');
    await expect.poll(() => tab.run(() => document.activeElement?.matches('tr.selected'))).toBe(true);
    const before = await tab.run(() => location.hash);
    await tab.press('n');
    await expect.poll(() => tab.run(() => location.hash)).not.toBe(before);
    await expect.poll(() => tab.run(() => document.querySelectorAll('.groups tr.selected').length)).toBe(1);
    await tab.press('p');
    await expect.poll(() => tab.run(() => location.hash)).toBe(before);
  });

  test('Tab leads to what opens files', async () => {
    await tab.run(() => document.querySelector<HTMLElement>('.skip')?.focus());
    const seen: string[] = [];
    for (let i = 0; i < 24 && seen.at(-1) !== 'file'; i++) {
      await tab.press('Tab');
      seen.push(await tab.run(() => (document.activeElement as HTMLInputElement | null)?.type ?? ''));
    }
    expect(seen.at(-1)).toBe('file');
  });

  test('a report to share is made of it', async () => {
    await tab.run(() => {
      const make = URL.createObjectURL;
      URL.createObjectURL = made => {
        Object.assign(globalThis, {made});
        return make.call(URL, made);
      };
      (document.activeElement as HTMLElement | null)?.blur();
    });
    await tab.press('s');
    await click(tab, '#share-popover button');
    await until(tab, '#share[open] .tells');
    await click(tab, '#share-report');
    await until(tab, '#share [role=status]', 'downloads');
    const report = await tab.run(() => (Reflect.get(globalThis, 'made') as Blob).text());
    expect(report).toMatch(/desk::available[\s\S]*__clone3/);
    expect(report).not.toContain('<script');
    await tab.press('Escape');
  });

  test('none of that asked for anything', () => {
    expect(site.requests.filter(path => path !== '/sw.js')).toEqual([]);
  });

  test('the next visit needs no server', async () => {
    await site.close();
    await tab.open(`${site.url}#again`);
    await tab.reload();
    await ready(tab);
    await tab.run(() =>
      [...document.querySelectorAll('button')].find(b => b.textContent?.includes('Null pointer'))?.click(),
    );
    await until(tab, 'tr.frame', 'desk::available');
  });
});
