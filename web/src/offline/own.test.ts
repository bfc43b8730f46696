import {runInNewContext} from 'node:vm';
import {expect, test} from 'vitest';
import {ownScript, wrapped} from './own.ts';

test.each(['', 'a = 1', 'a = 1 // b', 'a = `\n`', '/* a */ a =\n\t"–"; function b ( ) { }'])(
  'a script finds the text of its file: %j',
  code => {
    const file = wrapped(`${code};\nfound = (${ownScript})();`);
    const page = {found: null as string | null};
    runInNewContext(file, page);
    expect(page.found).toBe(file);
  },
);

test('a script that is no such file has no text', () => {
  expect(ownScript()).toBeNull();
});
