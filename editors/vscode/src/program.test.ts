import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {findProgram} from './program.ts';

let folder: string;
let found: string;
const NAME = process.platform === 'win32' ? 'crashglass.exe' : 'crashglass';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crashglass-'));
  for (const name of ['first', 'second']) mkdirSync(join(folder, name));
  mkdirSync(join(folder, 'first', NAME)); // a folder of that name is no program
  found = join(folder, 'second', NAME);
  writeFileSync(found, '');
  chmodSync(found, 0o755);
});
afterAll(() => rmSync(folder, {recursive: true}));

test('a name is searched in the absolute folders of PATH', () => {
  const path = ['.', '', join(folder, 'none'), join(folder, 'first'), join(folder, 'second')].join(delimiter);
  expect(findProgram('crashglass', {PATH: path})).toBe(found);
  expect(findProgram('crashglass', {PATH: join(folder, 'first')})).toBeNull();
  expect(findProgram('crashglass', {})).toBeNull();
});

test('an absolute path is the program itself, and a relative one is none', () => {
  expect(findProgram(found, {})).toBe(found);
  expect(findProgram(join(folder, 'none', NAME), {PATH: join(folder, 'second')})).toBeNull();
  const {PATH = ''} = process.env;
  expect(findProgram(`./${NAME}`, {PATH: `${join(folder, 'second')}${delimiter}${PATH}`})).toBeNull();
});
