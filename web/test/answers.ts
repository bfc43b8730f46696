// What the program says of dumps, wherever it runs: on the command line, and as WebAssembly in Node or in a browser's worker.
import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import {expect} from 'vitest';
import type {ReadableFile, Returned, Serve} from '../src/engine/protocol.ts';
import {corpus, project} from './browser.ts';

/** What is given to the program, in base64, which is the one way for bytes into a browser under test. */
export type Inputs = Readonly<Record<string, string>>;

/** Runs in Node and in the worker: gives the files to the program and asks for the JSON of the dumps among them. */
export function analyse([inputs, dump]: readonly [Inputs, number]): string {
  const program: Serve = Reflect.get(globalThis, 'crashglass');
  const send = (request: object, files: readonly ReadableFile[] = []): Exclude<Returned, {error: string}> => {
    const answer = program(JSON.stringify(request), files, () => {});
    if (!answer || 'error' in answer) throw new Error(answer?.error ?? 'the program ended');
    return answer;
  };
  const files = Object.entries(inputs).map(([path, text]) => {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const read = (offset: number, count: number): Uint8Array => bytes.slice(offset, offset + count);
    return {path, size: bytes.length, read, close: () => {}};
  });
  const {opened}: {opened: {dump: number}[]} = JSON.parse(
    send({op: 'open', next: dump, known: [], restores: false}, files).json,
  );
  for (const {dump} of opened) send({op: 'report', dump, crashing: false, workers: 0});
  const json = opened.map(
    ({dump}) => send({op: 'render', dump, format: 'json', masked: false, memory: false}).bytes ?? new Uint8Array(0),
  );
  return json.map(bytes => new TextDecoder().decode(bytes)).join('') || 'no dump';
}

export const inputs = (...files: string[]): Inputs =>
  Object.fromEntries(files.map(file => [basename(file), readFileSync(file).toString('base64')]));

export function commandLine(dump: string, symbols: readonly string[]): string {
  const args = symbols.flatMap(file => ['--symbols', basename(file)]); // reports name files as they were given
  const options = {cwd: dirname(dump), maxBuffer: 1 << 30};
  const {stdout, status} = spawnSync(
    project('build/crashglass'),
    ['walk', '--no-local', '--format', 'json', ...args, dump],
    options,
  );
  return status === 0 ? unnamed(stdout.toString(), dump) : 'no dump';
}

/** Reports without the name that each of several dumps of a file has on the command line. The page has it beside the report. */
function unnamed(reports: string, dump: string): string {
  const name = (n: number): string => `,"file":${JSON.stringify(`${dump}, dump ${n}`)}`;
  let text = reports;
  for (let n = 1; text.includes(name(n)); n++) text = text.replace(name(n), '');
  return text;
}

/** The public dumps of the corpus, as their names and paths; none where there is no corpus. */
export const dumps = (): (readonly [name: string, path: string])[] =>
  (existsSync(corpus('public')) ? readdirSync(corpus('public'), {recursive: true, encoding: 'utf8'}) : [])
    .filter(name => /\.m?dmp$/.test(name))
    .map(name => [name, corpus(`public/${name}`)]);

/** The first place where two answers differ says more than both of them in full. */
export function expectSame(where: string, got: string, want: string): void {
  if (got === want) return;
  let at = 0;
  while (got[at] === want[at]) at++;
  const [from, to] = [Math.max(0, at - 60), at + 60];
  expect({where, at, text: got.slice(from, to)}).toEqual({where, at, text: want.slice(from, to)});
}
