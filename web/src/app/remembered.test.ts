import {expect, test} from 'vitest';
import {rootOf} from './remembered.ts';

test.each([
  ['a.dmp', 'a.dmp'],
  ['store/sub/app.sym', 'store'],
  ['x.log (1 of 2)', 'x.log'],
  ['a (1).dmp', 'a (1).dmp'],
  ['a (1 of 2).dmp', 'a (1 of 2).dmp'],
])('the handle of %s is %s', (path, name) => expect(rootOf(path)).toBe(name));
