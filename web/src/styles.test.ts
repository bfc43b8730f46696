// Widths of the window stand in one style sheet, and the views' layouts change at the same.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

const root = import.meta.dirname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const queries = (text: string): string[] => [...text.matchAll(/@media ([^{]+?) \{/g)].map(([, query]) => query ?? '');

test('each width of the window stands in window.css, once', () => {
  const sheets = readdirSync(root, {recursive: true, encoding: 'utf8'}).filter(path => path.endsWith('.css'));
  const asking = sheets.filter(path => queries(read(path)).length > 0);
  expect(asking.sort()).toEqual(['styles/paper.css', 'styles/window.css']);
  const asked = queries(read('styles/window.css'));
  expect(asked).toEqual([...new Set(asked)]);
  expect(queries(read('styles/paper.css'))).toEqual(['print']);
});

test('the layouts of the views change where the styles do', () => {
  const told = [...read('app/watch.ts').matchAll(/matchMedia\('([^']+)'\)/g)].map(([, query]) => query ?? '');
  expect(told).toHaveLength(2);
  expect(queries(read('styles/window.css'))).toEqual(expect.arrayContaining(told));
});
