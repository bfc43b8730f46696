import {expect, test} from 'vitest';
import {report} from '../../test/make.ts';
import type {OriginLink} from '../report.ts';
import {trail} from './trail.ts';

const link = (more: Partial<OriginLink>): OriginLink => ({
  kind: 'unknown',
  frame: 0,
  value: null,
  guess: false,
  text: '',
  ...more,
});
const of = (...origin: OriginLink[]) => trail({...report().crash_info, origin});

test('a value, what set it, and what that was made of', () => {
  const found = of(
    link({
      kind: 'load',
      register: 'rax',
      variable: 'p',
      value: '0x10',
      source: 'ring->items[2]',
      memory: '0x7f12',
      instruction: 'mov rax, [r13]',
    }),
    link({kind: 'argument', register: 'r13', variable: 'ring', value: '0x7f10', frame: 0}),
    link({kind: 'unknown', frame: 1, guess: true}),
  );
  expect(found?.value).toBe('0x10');
  expect(found?.rows.map(({words, detail, memory, caller}) => [words, detail, memory, caller])).toEqual([
    ['`p` is `0x10`', 'rax', null, null],
    ['loaded from `ring->items[2]`', '`mov rax, [r13]`', '0x7f12', null],
    ['`ring` is `0x7f10`, passed by', 'r13', null, 1],
  ]);
  expect(found?.end).toBe('The dump does not prove where it came from.');
});

test('the value itself is a fact, and a step that other ways may lead to is a guess', () => {
  const found = of(
    link({kind: 'load', register: 'rax', value: '0x0', guess: true}),
    link({kind: 'copy', register: 'rbx', guess: true}),
  );
  expect(found?.rows.map(({guess}) => guess)).toEqual([false, true, true]);
  expect(found?.guess).toBe(true);
});

test('no more than five rows, and none without links', () => {
  const many = Array.from({length: 20}, () => link({kind: 'copy', register: 'rax', value: '0x1'}));
  expect(of(...many)?.rows).toHaveLength(5);
  expect(of()).toBe(null);
});

test.each([
  [{kind: 'constant', register: 'eax', value: '0x7'}, 'a constant of the code', 'The program has this number.'],
  [
    {kind: 'result', register: 'rax', function: 'find'},
    'returned by `find`',
    'The dump does not say where the function had it from.',
  ],
  [{kind: 'load', register: 'rax'}, 'loaded from memory', 'The dump does not say what wrote it.'],
] as const)('%o', (last, how, end) => {
  const found = of(link(last));
  expect([found?.rows[1]?.words, found?.end]).toEqual([how, end]);
});
