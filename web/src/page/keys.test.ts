import {expect, test} from 'vitest';
import {actionOf, type Focus, keys} from './keys.ts';

const press = (key: string, more = {}): Parameters<typeof actionOf>[0] => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...more,
});
const at = (key: string, focus: Focus): string | null => actionOf(press(key), focus, true);

test('no key means two things', () => {
  const all = keys.flatMap(key => key.keys);
  expect(new Set(all).size).toBe(all.length);
});

test('single keys work everywhere but in a field', () => {
  expect((['page', 'rows', 'control', 'field'] as const).map(focus => at('j', focus))).toEqual([
    'next',
    'next',
    'next',
    null,
  ]);
});

test('arrows and Enter belong to the row that has the focus', () => {
  expect((['page', 'rows', 'control', 'field'] as const).map(focus => at('ArrowDown', focus))).toEqual([
    null,
    'next',
    null,
    null,
  ]);
  expect((['page', 'rows', 'control', 'field'] as const).map(focus => at('Enter', focus))).toEqual([
    null,
    'inspect',
    null,
    null,
  ]);
});

test('space belongs to the row that has the focus, and scrolls or presses elsewhere', () => {
  expect((['page', 'rows', 'control', 'field'] as const).map(focus => at(' ', focus))).toEqual([
    null,
    'mark',
    null,
    null,
  ]);
  expect(actionOf(press(' '), 'rows', false)).toBe('mark');
});

test('Esc always works', () => expect(at('Escape', 'field')).toBe('back'));

test('with a modifier the key is the browser’s', () => {
  for (const key of ['ctrlKey', 'altKey', 'metaKey'])
    expect(actionOf(press('c', {[key]: true}), 'page', true)).toBeNull();
});

test('single keys can be turned off, arrows cannot', () => {
  expect(actionOf(press('j'), 'rows', false)).toBeNull();
  expect(actionOf(press('ArrowDown'), 'rows', false)).toBe('next');
});

test('other keys have no action', () => expect(at('q', 'page')).toBeNull());
