// One analysis, many faces: the command line, the WebAssembly in Node and the WebAssembly in Chromium give the same JSON,
// byte for byte, of the example and of whatever dumps the corpus has.
import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import type {Browser, Worker} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {ReadableFile, Returned, Serve} from '../src/engine/protocol.ts';
import {corpus, launch, project, type Site, serve} from './browser.ts';

interface Go {
  readonly importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/** What is given to the program, in base64, which is the one way for bytes into a browser under test. */
type Given = Readonly<Record<string, string>>;

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

/** Runs in Node and in the worker: gives the files to the program and asks for the JSON of the dumps among them. */
function analyse([given, dump]: readonly [Given, number]): string {
  const program: Serve = Reflect.get(globalThis, 'crashglass');
  const ask = (request: object, files: readonly ReadableFile[] = []): Exclude<Returned, {error: string}> => {
    const answer = program(JSON.stringify(request), files, () => {});
    if (!answer || 'error' in answer) throw new Error(answer?.error ?? 'the program ended');
    return answer;
  };
  const files = Object.entries(given).map(([path, text]) => {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    return {path, size: bytes.length, read: (offset: number, count: number) => bytes.slice(offset, offset + count)};
  });
  const {opened}: {opened: {dump: number}[]} = JSON.parse(ask({op: 'take', next: dump, known: []}, files).json);
  for (const {dump} of opened) ask({op: 'report', dump, crashing: false, workers: 0});
  const json = opened.map(
    ({dump}) => ask({op: 'render', dump, format: 'json', masked: false, memory: false}).bytes ?? new Uint8Array(0),
  );
  return json.map(bytes => new TextDecoder().decode(bytes)).join('') || 'no dump';
}

const given = (...files: string[]): Given =>
  Object.fromEntries(files.map(file => [basename(file), readFileSync(file).toString('base64')]));

function commandLine(dump: string, symbols: readonly string[]): string {
  const args = symbols.flatMap(file => ['--symbols', basename(file)]); // reports name files as they were given
  const options = {cwd: dirname(dump), maxBuffer: 1 << 30};
  const {stdout, status} = spawnSync(project('build/crashglass'), ['walk', '--format', 'json', ...args, dump], options);
  return status === 0 ? stdout.toString() : 'no dump';
}

/** The three answers; the first place where two differ says more than both of them in full. */
async function compare(dump: string, symbols: readonly string[]): Promise<void> {
  const want = commandLine(dump, symbols);
  const files = given(...symbols, dump);
  const number = next;
  next += MOST;
  for (const [where, got] of Object.entries({
    node: analyse([files, number]),
    chromium: await worker.evaluate(analyse, [files, number] as const),
  })) {
    if (got === want) continue;
    let at = 0;
    while (got[at] === want[at]) at++;
    const [from, to] = [Math.max(0, at - 60), at + 60];
    expect({where, at, text: got.slice(from, to)}).toEqual({where, at, text: want.slice(from, to)});
  }
}

describe('the same JSON everywhere', () => {
  test('without symbols', () => compare(project('web/example/crash.dmp'), []));

  const dumps = existsSync(corpus('public')) ? readdirSync(corpus('public'), {recursive: true, encoding: 'utf8'}) : [];
  test.each(dumps.filter(name => /\.m?dmp$/.test(name)))('of %s', name => compare(corpus(`public/${name}`), []));

  // Last, because the symbols stay with the programs that have them.
  test('with symbols', () => {
    const symbols = ['desk.sym', 'libc.sym', 'libstdcpp.sym'].map(name => project(`web/example/${name}`));
    return compare(project('web/example/crash.dmp'), symbols);
  });
});
