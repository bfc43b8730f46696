import {expect, test} from 'vitest';
import {thread} from '../../test/make.ts';
import {nameRuns} from './names.ts';

const named = (...names: (string | null)[]) =>
  names.map((name, i) => thread([], {thread_id: 100 + i, thread_name: name}));

test.each([
  [['net-io-2', 'net-io-0', 'net-io-1', 'net-io-10'], 'net-io-0 to 2, 10'],
  [['io-1', 'io-2'], 'io-1, 2'],
  [['main', 'main', 'x'], 'main ×2, x'],
  [[null, ''], '100, 101'],
  [['42'], '42'],
  [['a', 'b', 'c', 'd', 'e', 'f'], 'a, b, c, d and 2 more'],
  [['a\u202eb'], 'a\\u202eb'],
  [[], ''],
])('%j: %s', (names, words) => expect(nameRuns(named(...names))).toBe(words));
