// The npm package as its users have it: packed, installed in an empty folder, and used from Node and from a page of another host.
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Library} from '../library/api.ts';
import {commandLine, expectSame} from './answers.ts';
import {launch, project, serve} from './browser.ts';

let folder: string;

const inFolder = (program: string, ...args: string[]): string =>
  execFileSync(program, args, {cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe']});

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crashglass-library-'));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {cwd: project('build/library')});
  const [packed] = readdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
  inFolder('npm', 'install', '--silent', '--no-audit', '--no-fund', '--offline', `./${packed}`);
  writeFileSync(join(folder, 'json.js'), USE);
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

/** Prints the reports of each dump: DUMP [SYMBOLS...], once for each line of the arguments. */
const USE = `
import {readFileSync} from 'node:fs';
import {basename} from 'node:path';
import {open} from 'crashglass';

const file = path => ({path: basename(path), bytes: readFileSync(path)});
const answers = [];
for (const [dump, ...symbols] of JSON.parse(process.argv[2])) {
  const {path, bytes} = file(dump);
  try {
    const session = await open(bytes, {name: path, symbols: symbols.map(file)});
    let text = '';
    for (const dump of session.dumps) text += await dump.render('json');
    session.close();
    answers.push(text);
  } catch {
    answers.push('no dump');
  }
}
process.stdout.write(JSON.stringify(answers));
`;

const example = (name: string): string => project(`web/example/${name}`);
const symbols = ['desk.sym', 'libc.sym', 'libstdcpp.sym'].map(example);

const classes = ['minidump', 'microdump', 'elfcore'].flatMap(kind => {
  const at = project(`core/dump/${kind}/testdata/classes`);
  return readdirSync(at).map(name => join(at, name));
});

describe('in Node', () => {
  test('each dump has the report of the command line', () => {
    const all = [[example('crash.dmp'), ...symbols], ...classes.map(path => [path])];
    const answers: string[] = JSON.parse(inFolder('node', 'json.js', JSON.stringify(all)));
    expect(answers).toHaveLength(all.length);
    for (const [i, [dump = '', ...symbols]] of all.entries())
      expectSame(basename(dump), answers[i] ?? '', commandLine(dump, symbols));
  });

  test('a session answers queries, and ends its thread', () => {
    writeFileSync(join(folder, 'session.js'), SESSION);
    expect(JSON.parse(inFolder('node', 'session.js', example('crash.dmp'), ...symbols))).toEqual({
      before: null,
      after: expect.stringMatching(/^desk::serve/),
      evidence: true,
      variables: [0],
      word: 8,
      nothing: null,
      progress: true,
      stopped: 'AbortError',
      notADump: 'notes.txt: this is neither a dump nor a symbol file',
      closed: expect.stringMatching(/worker/),
    });
  });

  test('its types fit', () => {
    writeFileSync(
      join(folder, 'use.ts'),
      `import {analyze, open, type Report} from 'crashglass';
       const report: Report = await analyze(new Uint8Array(4), {onProgress: ({phase}) => phase === 'walking'});
       const session = await open(new Blob([]), {symbols: [{path: 'a.sym', bytes: new ArrayBuffer(1)}]});
       const name: string | null | undefined = report.threads?.[0]?.frames?.[0]?.function;
       // @ts-expect-error: a session has dumps, and no report
       session.report;
       export {name};\n`,
    );
    mkdirSync(join(folder, 'node_modules/@types'), {recursive: true});
    symlinkSync(project('web/node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    inFolder(process.execPath, project('web/node_modules/typescript/bin/tsc'), ...flags, 'use.ts');
  });
});

const SESSION = `
import {readFileSync} from 'node:fs';
import {basename} from 'node:path';
import {analyze, open} from 'crashglass';

const [bytes, ...symbols] = process.argv.slice(2).map(path => readFileSync(path));
const named = symbols.map((bytes, i) => ({path: basename(process.argv[3 + i]), bytes}));
let progress = false;
const session = await open(bytes, {onProgress: () => (progress = true)});
const [dump] = session.dumps;
const first = () => dump.report.crashing_thread.frames[0];
const before = first().function;
await session.add(named);
const thread = await dump.thread(dump.report.crash_info.crashing_thread);
const answer = {
  before,
  after: first().function,
  evidence: thread.frames.some(({evidence}) => evidence?.length > 0),
  variables: (await dump.variables(0, 0)).map(({frame}) => frame),
  word: (await dump.memory((await dump.captured())[0].base, 8)).length,
  nothing: await dump.memory('0x0', 8),
  progress,
  stopped: await analyze(bytes, {signal: AbortSignal.abort()}).catch(error => error.name),
  notADump: await analyze(new Uint8Array(100), {name: 'notes.txt'}).catch(error => error.message),
};
session.close();
answer.closed = await dump.thread(0).catch(error => error.message);
process.stdout.write(JSON.stringify(answer));
`;

test('in a page of another host, with no request after the first use', async () => {
  const site = await serve(join(folder, 'node_modules/crashglass'), (request, response) => {
    if (request.url !== '/') return false;
    const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; object-src 'none'";
    response
      .writeHead(200, {'Content-Type': 'text/html', 'Content-Security-Policy': policy})
      .end('<!doctype html><script type="module" src="/use.js"></script>');
    return true;
  });
  writeFileSync(
    join(folder, 'node_modules/crashglass/use.js'),
    "import * as library from './browser.js';\nObject.assign(globalThis, {library});\n",
  );
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(site.url);
    const json = async (dump: string): Promise<string> =>
      page.evaluate(async base64 => {
        const {open}: Library = Reflect.get(globalThis, 'library');
        const session = await open(Uint8Array.from(atob(base64), letter => letter.charCodeAt(0)));
        const texts = await Promise.all(session.dumps.map(dump => dump.render('json')));
        session.close();
        return texts.join('');
      }, readFileSync(dump).toString('base64'));
    for (const [i, dump] of [example('crash.dmp'), ...classes].entries()) {
      if (i === 1) site.requests.length = 0;
      expectSame(basename(dump), await json(dump), commandLine(dump, []));
    }
    expect(site.requests).toEqual([]);
    const folders = await page.evaluate(async () => {
      const root = (await navigator.storage.getDirectory()) as unknown as {keys(): AsyncIterable<string>};
      const names: string[] = [];
      for await (const name of root.keys()) names.push(name);
      return names;
    });
    expect(folders).toEqual([]);
  } finally {
    await Promise.all([browser.close(), site.close()]);
  }
});
