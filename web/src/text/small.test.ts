// The modules that are a few lines each.
import {describe, expect, test} from 'vitest';
import {frame, report, thread} from '../../test/make.ts';
import {isTab} from '../frame/state.ts';
import {rawList, sectionList} from '../page/sections.ts';
import {asTheme, nextTheme} from '../page/state.ts';
import {memo} from './maps.ts';
import {codeWords} from './text.ts';

describe('memo', () => {
  test('computes once for each key while the rest stays', () => {
    let calls = 0;
    const fn = memo((_key: object, n: number) => [++calls, n]);
    const key = {};
    expect([fn(key, 1), fn(key, 1), fn({}, 1), fn(key, 2)]).toEqual([
      [1, 1],
      [1, 1],
      [2, 1],
      [3, 2],
    ]);
  });
});

describe('codeWords', () => {
  const show = (text: string): string =>
    codeWords(text)
      .map(w => (w.code ? `<${w.text}>` : w.text))
      .join('');
  test.each([
    ['Thread 1 ran `mov eax, [rax]` with `rax` = 0.', 'Thread 1 ran <mov eax, [rax]> with <rax> = 0.'],
    ['read from 0x7fe2, on this stack', 'read from <0x7fe2>, on this stack'],
    ['[rbp+8] is 9', '<[rbp+8]> is 9'],
    ['an open ` stays', 'an open ` stays'],
    ['', ''],
  ])('%s', (text, want) => expect(show(text)).toBe(want));
});

test('sections with nothing in them are not there', () => {
  expect(sectionList(report()).map(s => s.id)).toEqual(['crash', 'threads']);
  const r = report({
    notes: [{kind: 'odd', where: 'w', text: 't', offset: null, count: 1}],
    lsb_release: {id: '', release: '', codename: '', description: ''},
  });
  expect(sectionList(r).map(s => s.id)).toEqual(['crash', 'threads', 'raw']);
  expect(rawList(r)).toEqual(['1 note', 'Linux']);
});

test.each([
  ['a tombstone with memory', 2560, ['crash', 'threads', 'memory']],
  ['a report that is text alone', 0, ['crash', 'threads', 'text']],
])('%s has its sections', (_, memory, ids) => {
  const threads = [thread([frame(0, {trust: 'prewalked'})])];
  const {dump} = report();
  expect(sectionList(report({threads, dump: {...dump, memory}})).map(s => s.id)).toEqual(ids);
});

test('the theme goes round', () => {
  expect([nextTheme('system'), nextTheme('light'), nextTheme('dark')]).toEqual(['light', 'dark', 'system']);
  expect([asTheme('dark'), asTheme('<b>'), asTheme(null)]).toEqual(['dark', 'system', 'system']);
});

test('tabs', () => expect([isTab('why'), isTab('view')]).toEqual([true, false]));
