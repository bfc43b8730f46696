import {expect, test} from 'vitest';
import {sectionInView} from './sections.ts';

const at = (tops: readonly number[], focused = -1) =>
  ['crash', 'linux', 'streams', 'notes'].map((id, i) => ({id, top: tops[i] ?? 0, focused: i === focused}));

test.each([
  ['the first, at the beginning', at([44, 900, 1500, 2000]), false, 'crash'],
  ['the last whose heading has passed', at([-900, 80, 400, 700]), false, 'linux'],
  ['the last, at the end of the page', at([-900, 80, 400, 700]), true, 'notes'],
  ['at the end, the one that the user went to', at([-900, 80, 400, 700], 2), true, 'streams'],
  ['not one that has left the window', at([-900, -300, 400, 700], 1), true, 'notes'],
] as const)('the section in view is %s', (_, all, atEnd, id) => expect(sectionInView(all, 800, atEnd)).toBe(id));

test('without sections, it is the first one', () => expect(sectionInView([], 800, true)).toBe('crash'));
