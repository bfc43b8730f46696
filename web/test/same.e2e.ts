// One analysis, many faces: the command line, the WebAssembly in Node and the WebAssembly in Chromium give the same JSON,
// byte for byte, of the example and of whatever dumps the corpus has.
import {readFileSync} from 'node:fs';
import type {Browser, Worker} from 'playwright-core';
import {afterAll, beforeAll, describe, test} from 'vitest';
import {analyse, commandLine, dumps, expectSame, inputs} from './answers.ts';
import {launch, project, type Site, serve} from './browser.ts';

interface Go {
  readonly importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

let browser: Browser;
let site: Site;
let worker: Worker;

beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), serve(project('dist'))]);
  const page = await browser.newPage();
  const started = page.waitForEvent('worker');
  await page.goto(site.url);
  worker = await started;
  await worker.evaluate(async () => {
    while (!('crashglass' in globalThis)) await new Promise(resolve => setTimeout(resolve, 10));
  });

  await import(project('build/wasm_exec.js'));
  const go: Go = new (Reflect.get(globalThis, 'Go'))();
  const {instance} = await WebAssembly.instantiate(readFileSync(project('build/viewer.wasm')), go.importObject);
  go.run(instance);
});
afterAll(() => Promise.all([browser?.close(), site?.close()]));

/** The number of the next dump. A file may have several. */
let next = 1;
const MOST = 100;

/** The three answers; the first place where two differ says more than both of them in full. */
async function compare(dump: string, symbols: readonly string[]): Promise<void> {
  const want = commandLine(dump, symbols);
  const files = inputs(...symbols, dump);
  const number = next;
  next += MOST;
  for (const [where, got] of Object.entries({
    node: analyse([files, number]),
    chromium: await worker.evaluate(analyse, [files, number] as const),
  })) {
    expectSame(where, got, want);
  }
}

describe('the same JSON everywhere', () => {
  test('without symbols', () => compare(project('web/example/crash.dmp'), []));

  test.each(dumps())('of %s', (_, path) => compare(path, []));

  // Last, because the symbols stay with the programs that have them.
  test('with symbols', () => {
    const symbols = ['desk.sym', 'libc.sym', 'libstdcpp.sym'].map(name => project(`web/example/${name}`));
    return compare(project('web/example/crash.dmp'), symbols);
  });
});
