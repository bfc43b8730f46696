// Which folder may import which, and which way: the words and the logic of a feature know no view and no state of the page, the
// state (app/) knows the logic, the views know both. A new arrow has to be written down here.
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, normalize, relative} from 'node:path';
import {describe, expect, test} from 'vitest';

const root = import.meta.dirname;

/** The modules that each module imports, as paths below src/. Tests are no part of it, nor is what the build makes. */
const graph = new Map(
  readdirSync(root, {recursive: true, encoding: 'utf8'})
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map(path => [path, importsOf(path)]),
);

function importsOf(path: string): readonly string[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/(?:from|import) ?\(?'(\.[^'?]+)/g)]
    .map(found => normalize(join(dirname(path), found[1] ?? '')))
    .filter(to => !relative('.', to).startsWith('..'));
}

const isView = (path: string): boolean => path.endsWith('.view.ts') || path.endsWith('.css');
const folder = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : 'root');

// The parts that are no features: what they do is for the whole page.
const parts = new Set(['app', 'engine', 'offline', 'privacy', 'styles', 'root']);

/** What the logic of each feature may import beside report.ts, text/, the engine's types and app/loadable.ts. */
const logic: Readonly<Record<string, readonly string[]>> = {
  crash: [],
  find: ['memory', 'page', 'stack', 'variables'],
  frame: [],
  link: ['frame'],
  memory: ['frame'],
  modules: ['stack', 'symbols'],
  share: ['stack'],
  stack: ['frame'],
  start: [],
  streams: ['stack'],
  page: ['crash', 'streams'],
  symbols: [],
  text: [],
  threads: ['stack'],
  triage: ['crash', 'modules', 'stack'],
  variables: ['stack'],
  widgets: [],
};

/** Whose views the views of each feature may show beside widgets/. */
const views: Readonly<Record<string, readonly string[]>> = {
  crash: ['frame', 'memory', 'stack', 'symbols', 'threads'],
  find: [],
  frame: ['memory', 'stack', 'variables'],
  memory: [],
  modules: ['symbols'],
  page: ['crash', 'find', 'link', 'memory', 'modules', 'share', 'start', 'streams', 'symbols', 'threads', 'triage'],
  stack: ['memory', 'symbols', 'variables'],
  symbols: ['page'],
  threads: ['frame', 'memory', 'stack'],
  variables: ['memory'],
};

const always = ['report.ts', 'engine/types.ts', 'app/loadable.ts'];

describe('imports', () => {
  test('of the logic of a feature are those of the table', () => {
    const wrong = arrows(path => !isView(path) && !parts.has(folder(path))).filter(
      ([from, to]) =>
        isView(to) ||
        !(always.includes(to) || ['text', folder(from), ...(logic[folder(from)] ?? [])].includes(folder(to))),
    );
    expect(wrong).toEqual([]);
  });

  test('of other views are those of the table', () => {
    const wrong = arrows(isView).filter(
      ([from, to]) => isView(to) && !['widgets', folder(from), ...(views[folder(from)] ?? [])].includes(folder(to)),
    );
    expect(wrong).toEqual([]);
  });

  test('every line of the tables is used', () => {
    const said = (table: typeof logic): string[] =>
      Object.entries(table).flatMap(([from, tos]) => tos.map(to => `${from} ${to}`));
    const found = (of: (path: string) => boolean): Set<string> =>
      new Set(arrows(of).map(([from, to]) => `${folder(from)} ${folder(to)}`));
    expect(said(logic).filter(arrow => !found(path => !isView(path)).has(arrow))).toEqual([]);
    expect(said(views).filter(arrow => !found(isView).has(arrow))).toEqual([]);
  });

  test('make no circle', () => {
    expect([...graph.keys()].map(path => circle(path)).filter(found => found !== null)).toEqual([]);
  });
});

function arrows(of: (path: string) => boolean): (readonly [string, string])[] {
  return [...graph].flatMap(([from, tos]) => (of(from) ? tos.map(to => [from, to] as const) : []));
}

/** A way from a module back to it, or null. */
function circle(start: string): readonly string[] | null {
  const seen = new Set<string>();
  const ways = [[start]];
  for (let way = ways.pop(); way; way = ways.pop()) {
    for (const to of graph.get(way.at(-1) ?? '') ?? []) {
      if (to === start) return [...way, to];
      if (!seen.has(to)) ways.push([...way, to]);
      seen.add(to);
    }
  }
  return null;
}
