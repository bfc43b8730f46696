import {expect, test} from 'vitest';
import {fetchLine} from './fetch.ts';

// The cases of core/report/render/fetch_test.go, which also has a shell read the lines.
test.each([
  [
    'libc.so.6/AAAA0/libc.so.6.sym',
    `curl -fL --create-dirs -o 'symbols/libc.so.6/AAAA0/libc.so.6.sym' "$SYMBOL_SERVER/libc.so.6/AAAA0/libc.so.6.sym"`,
  ],
  [
    'my app.pdb/1/my app.sym',
    `curl -fL --create-dirs -o 'symbols/my app.pdb/1/my app.sym' "$SYMBOL_SERVER/my%20app.pdb/1/my%20app.sym"`,
  ],
  [
    'a\'$(reboot)`id`";&|\\/1/x',
    `curl -fL --create-dirs -o 'symbols/a'\\''$(reboot)\`id\`";&|\\/1/x' "$SYMBOL_SERVER/a%27%24%28reboot%29%60id%60%22%3B%26%7C%5C/1/x"`,
  ],
  ['-rf/1/ü.sym', `curl -fL --create-dirs -o 'symbols/-rf/1/ü.sym' "$SYMBOL_SERVER/-rf/1/%C3%BC.sym"`],
])('fetches %s', (path, line) => {
  expect(fetchLine(path)).toBe(line);
});

test.each(['', '../1/x', 'a/../x', 'a\x1b/1/x', 'a\n/1/x', 'a\u202e/1/x', 'a\ud800/1/x'])('refuses %j', path => {
  expect(fetchLine(path)).toBe(null);
});
