// The page with a plain object in the engine's place. A dropped file is a report as JSON, so that tests can show states that
// no dump at hand produces: names of 64 KiB, a thousand threads, a walk that ends in nothing.
import '../../src/styles/page.css';
import {mount} from '../../src/app/mount.ts';
import {
  type AddResult,
  ALL_FRAMES,
  type Code,
  type CodeLine,
  type Engine,
  type FileInfo,
  type FileResult,
  type FrameVariables,
  type Opened,
  type Query,
  type Results,
  type VariablesRequest,
} from '../../src/engine/types.ts';
import type {Report, Thread, Variable} from '../../src/report.ts';
import {mostText} from '../../src/streams/report-text.ts';
import {panicked} from '../make.ts';

/** What a test drops: a report, a report that replaces the last one, symbols without a dump, or something of no use. */
interface Dropped {
  readonly report?: Report;
  readonly update?: Report;
  readonly symbols?: boolean;
  readonly refuse?: string;
  /** Answers when the test calls answer(), with progress until then. */
  readonly waits?: boolean;
}

const reports: Report[] = [];

/** Symbol files that were dropped, by name. */
const symbolFiles: string[] = [];

/** A .sym is damaged at its end, and anything else is a file that can be written as one. */
const infoOf = (name: string, module: number): FileInfo => ({
  name,
  kind: name.endsWith('.sym') ? 'a Breakpad symbol file' : 'a Windows symbol file',
  module,
  debug_file: 'app.pdb',
  debug_id: '5A9832E5287241C1838ED98914E9B7FF1',
  cpu: 'x86_64',
  holds: ['functions', 'lines'],
  flaw: name.endsWith('.sym') ? 'seems to be cut short: its last line has no end' : null,
  convertible: !name.endsWith('.sym'),
});

/** The fields of reports that the views read: a field that no view reads is not drawn. */
const fieldsRead = new Set<string>();
Object.assign(globalThis, {fieldsRead});

const noted = (report: Report): Report =>
  new Proxy(report, {
    get(of, field: string & keyof Report) {
      fieldsRead.add(field);
      return of[field];
    },
  });

async function add(
  files: readonly {readonly path: string; readonly file: Blob}[],
  signal?: AbortSignal,
): Promise<AddResult> {
  const results: FileResult[] = [];
  const opened: Opened[] = [];
  const updated: Opened[] = [];
  for (const {path, file} of files) {
    const dropped = JSON.parse(await file.text()) as Dropped;
    if (dropped.waits) await work(path, signal);
    if (dropped.report) {
      opened.push({dump: reports.length, name: path, report: noted(dropped.report)});
      reports.push(dropped.report);
    }
    if (dropped.update) updated.push({dump: reports.length - 1, name: path, report: noted(dropped.update)});
    const kind = dropped.report ? 'dump' : dropped.symbols || dropped.update ? 'symbols' : 'other';
    if (kind === 'symbols') symbolFiles.push(path);
    results.push({name: path, kind, message: dropped.refuse ?? null, left: 0});
  }
  return {files: results, opened, updated};
}

/** Whether what is held is answered now. */
let isAnswering = false;
Object.assign(globalThis, {
  answer: () => {
    isAnswering = true;
  },
});

async function work(file: string, signal?: AbortSignal): Promise<void> {
  for (let done = 0; !isAnswering; done = Math.min(done + 50e6, 450e6)) {
    signal?.throwIfAborted();
    engine.onprogress?.({phase: 'reading', file, done, total: 500e6});
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  engine.onprogress?.(null);
}

/** What answers each query. */
type Answers<R> = {
  readonly [Op in Query['op']]?: (query: Extract<Query, {readonly op: Op}>) => R extends null ? Results[Op] : R;
};

const results: Answers<null> = {
  explain: ({dump, thread}) => reports[dump]?.threads?.[thread] as Thread,
  variables: query => variablesOf(reports[query.dump], query),
  globals: ({dump, module, name}) => ({
    known: true,
    variables: (reports[dump]?.globals ?? [])
      .filter(g => g.module === reports[dump]?.modules?.[module]?.filename)
      .flatMap(g => (g.variables ?? []).filter(v => v.name === name || name === '*')),
    notes: [],
  }),
  checklist: () => ({
    text: false,
    people: ['mallory'],
    secrets: [{kind: 'a GitHub token', where: 'stream LinuxEnviron', stays: false}],
    items: [
      {what: 'the environment', count: 23, unit: 'variables', in_report: true},
      {what: 'memory of the process', count: 143872, unit: 'bytes', in_report: false},
    ],
  }),
  sanitize: () => ({
    before: 285593,
    after: 10988,
    removed: [{what: 'the environment', count: 1, bytes: 1312}],
    secrets: [{kind: 'a GitHub token', where: 'stream LinuxEnviron', stays: false}],
    people: ['mallory'],
    changed: [],
  }),
  capsule: () => ({
    size: 5_300_000,
    files: [
      {role: 'dump', name: 'crash.dmp', size: 10_988},
      {role: 'symbols', name: 'desk/1/desk.sym', size: 47_000},
    ],
    changed: [],
  }),
  fields: ({offset}) => ({
    fields: [
      {offset, size: 4, name: 'Count', value: '2 (0x2)', record: ''},
      {offset: offset + 4, size: 4, name: 'ThreadId', value: '7 (0x7)', record: 'thread 0'},
      {offset: offset + 8, size: 8, name: 'RvaOfThreadName', value: '4096 (0x1000)', record: 'thread 0'},
      {offset: 4096, size: 6, name: 'string', value: 'main', record: 'thread 0'},
      {offset: offset + 16, size: 4, name: 'ThreadId', value: '9 (0x9)', record: 'thread 1'},
    ],
    cut: false,
  }),
  pointers: () => [],
  symbolFiles: () => symbolFiles.map(infoOf),
  captured: () => [{base: '0x7fe259618000', size: '0x2000'}],
  find: ({pattern, from}) => ({
    addresses: pattern === '6869' ? [from === '0x0' ? '0x7fe259618e88' : '0x7fe259618f00'] : [],
    next: pattern === '6869' && from === '0x0' ? '0x7fe259618ea0' : null,
  }),
  disassemble: ({dump, address}) => codeAt(dump, BigInt(address)),
};

const bytes: Answers<Uint8Array> = {
  sanitize: () => new Uint8Array([0x4d, 0x44, 0x4d, 0x50]),
  capsule: () => new TextEncoder().encode('<!doctype html>'),
  syms: () => new TextEncoder().encode('MODULE Linux x86_64 0 app\n'),
  file: ({offset, size}) =>
    size === mostText
      ? new TextEncoder().encode(panicked)
      : Uint8Array.from({length: size}, (_, i) => (offset + i) & 0xff),
  memory: ({address, size}) => stackOf(BigInt(address), size),
};

const resultOf: Engine['result'] = async query => results[query.op]?.(query as never) as never;
const bytesOf: Engine['bytes'] = async query => bytes[query.op]?.(query as never) ?? null;

const engine: Engine = {
  fetchParts: null,
  fetchWhole: null,
  add,
  close: async () => undefined,
  result: resultOf,
  bytes: bytesOf,
  made: async query => ({result: await resultOf(query), data: (await bytesOf(query)) ?? new Uint8Array()}),
  render: async (dump, format) => (format === 'json' ? JSON.stringify(reports[dump]) : `${format} of dump ${dump}\n`),
  force: async () => ({files: [], opened: [], updated: []}),
  example: async () => {
    throw new Error('there is no example here');
  },
  onopened: null,
  onwarm: null,
  onstored: null,
  forget: async () => engine.onstored?.({files: 0, bytes: 0, lasting: true}),
  onprogress: null,
  onrestart: null,
  onsilence: null,
  stop: () => undefined,
};

// Three instructions around the address; the null page has none, as in a real dump.
function codeAt(dump: number, at: bigint): Code {
  if (at < 0x1000n) return {lines: [], sure: false};
  const width = reports[dump]?.system_info.pointer_width ?? 8;
  const line = (address: bigint, bytes: string, text: string, number: number): CodeLine => ({
    address: `0x${address.toString(16).padStart(2 * width, '0')}`,
    bytes,
    text,
    function: 'middle',
    file: '/home/build/crashes/src/threads.cpp',
    line: number,
    from_file: false,
    target: null,
  });
  const lines = [
    line(at - 4n, '488b4008', 'mov rax, qword [rax+0x8]', 11),
    line(at, '8b00', 'mov eax, dword [rax]', 12),
  ];
  return {lines: [...lines, line(at + 2n, 'c3', 'ret', 13)], sure: true};
}

// A stack that holds its own addresses now and then, and zeros between.
function stackOf(from: bigint, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at + 8 <= size; at += 40) view.setBigUint64(at, from + BigInt(at), true);
  return bytes;
}

/** The variables that a report's frames have, with as many elements as an engine reads. */
function variablesOf(
  report: Report | undefined,
  {thread, frame, scope: only, number, elements}: VariablesRequest,
): readonly FrameVariables[] {
  const frames = report?.threads?.[thread]?.frames ?? [];
  const cut = (v: Variable, elements: number): Variable => ({
    ...v,
    children: (v.children ?? []).slice(0, elements).map(child => cut(child, elements)),
    more: Math.max(0, (v.children?.length ?? 0) - elements) + (v.more ?? 0),
  });
  return frames
    .filter(f => frame === ALL_FRAMES || f.frame === frame)
    .map(f => {
      const scopes = [f.variables ?? [], ...(f.inlines ?? []).map(i => i.variables ?? []).reverse()];
      const variables = (list: readonly Variable[], scope: number): Variable[] =>
        elements === 0
          ? list.map(v => cut(v, 16))
          : list.flatMap((v, i) => (only === scope && number === i ? [cut(v, elements)] : []));
      return {
        frame: f.frame,
        known: f.variables !== undefined,
        scopes: scopes.map((list, scope) => ({variables: variables(list, scope)})),
        notes: [],
      };
    });
}

const root = document.querySelector<HTMLElement>('#app');
const prepared = {
  cached: {state: 'not cached', why: 'This is a test.', update: null},
  host: null,
  requester: null,
  embed: [],
} as const;
if (root) mount(root, Promise.resolve(engine), Promise.resolve(prepared));
