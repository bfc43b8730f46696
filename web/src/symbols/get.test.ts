import {describe, expect, test} from 'vitest';
import {module, report} from '../../test/make.ts';
import type {Wanted} from '../report.ts';
import {asShell, fetchLine, getting, type Shell, shellOf} from './get.ts';

const wanted = (more: Partial<Wanted>): Wanted => ({
  module: 0,
  debug_file: 'atlas.pdb',
  debug_id: 'ABC1',
  code_file: 'atlas.exe',
  code_id: '6546f2471a000',
  paths: ['atlas.pdb/ABC1/atlas.sym', 'atlas.pdb/ABC1/atlas.pdb', 'atlas.exe/6546F2471a000/atlas.exe'],
  frames: 3,
  crashing: true,
  state: 'missing',
  why: null,
  ...more,
});

const on = (os: string, cpu = 'amd64') =>
  report({system_info: {...report().system_info, os, cpu_arch: cpu, os_ver: '11.1'}});

const get = (os: string, w: Partial<Wanted>, shell: Shell, needsCode = false, cpu = 'amd64') =>
  getting(on(os, cpu), module('atlas.exe', {path: '/system/lib64/atlas.exe'}), wanted(w), shell, needsCode);

const microsoft = {origin: 'microsoft', server: 'https://ms'} as const;

describe('from a symbol server', () => {
  test('one file', () =>
    expect(get('Windows NT', microsoft, 'powershell')).toEqual({
      files: ['atlas.pdb'],
      where: 'Microsoft',
      note: '',
      urls: ['https://ms/atlas.pdb/ABC1/atlas.pdb'],
      command: 'curl.exe -fLO https://ms/atlas.pdb/ABC1/atlas.pdb',
    }));

  test('the binary as well, where it has the unwind data and frames were guessed', () => {
    expect(get('Windows NT', microsoft, 'linux', true).command).toBe(
      'curl -fL --remote-name-all https://ms/atlas.pdb/ABC1/atlas.pdb https://ms/atlas.exe/6546F2471a000/atlas.exe',
    );
    expect(get('Windows NT', microsoft, 'linux', true, 'x86').files).toEqual(['atlas.pdb']);
  });

  test('Breakpad’s files where the store has them', () =>
    expect(get('Windows NT', {origin: 'mozilla', server: 'https://moz'}, 'macos', true)).toMatchObject({
      files: ['atlas.sym'],
      where: 'Mozilla',
      command: 'curl -fLO https://moz/atlas.pdb/ABC1/atlas.sym',
    }));

  test('debuginfod, by a whole build ID', () => {
    const libc = {
      origin: 'distribution',
      server: 'https://d',
      code_file: 'libc.so.6',
      code_id: 'AB'.repeat(20),
    } as const;
    expect(get('Linux', libc, 'linux', true).command).toBe(
      `curl -fL -o libc.so.6.debug https://d/buildid/${'ab'.repeat(20)}/debuginfo -o libc.so.6 https://d/buildid/${'ab'.repeat(20)}/executable`,
    );
    expect(get('Linux', {...libc, code_id: '0000000017000'}, 'linux')).toMatchObject({
      command: null,
      note: 'in its debug package',
    });
  });
});

describe('from the folder of the build', () => {
  test.each([
    ['powershell', 'Get-ChildItem -Recurse -Path . -Include atlas.pdb, atlas.exe'],
    ['linux', 'find . -name atlas.pdb -o -name atlas.sym -o -name atlas.exe'],
  ] as const)('in %s', (shell, line) => expect(get('Windows NT', {origin: 'build'}, shell).command).toBe(line));

  test('no command names a file that cannot exist', () => {
    const elf = {origin: 'build', debug_file: 'desk (deleted)', code_file: 'desk (deleted)'} as const;
    expect(get('Linux', elf, 'linux').command).toBe('find . -name desk -o -name desk.debug -o -name desk.sym');
    const dalvik = module('dalvik-main space (deleted)', {path: '/dev/ashmem/dalvik-main space (deleted)'});
    const memory = getting(on('Android'), dalvik, wanted({origin: 'build'}), 'linux', false);
    expect(memory).toMatchObject({command: null, where: 'Memory', note: 'never was a file'});
  });

  test('a Mac knows its dSYMs', () =>
    expect(get('Mac OS X', {origin: 'build', code_id: 'ef1091e381da369b9039ea1591d07e0b'}, 'macos').command).toBe(
      'mdfind "com_apple_xcode_dsym_uuids == EF1091E3-81DA-369B-9039-EA1591D07E0B"',
    ));

  test('of a report that does not say where', () =>
    expect(get('Linux', {origin: '__proto__'}, 'linux').where).toBe('Build folder'));
});

test('a device and a Mac', () => {
  expect(get('Android', {origin: 'device'}, 'linux').command).toBe('adb pull /system/lib64/atlas.exe');
  expect(get('iOS', {origin: 'device'}, 'linux').command).toBe(null);
  expect(get('Mac OS X', {origin: 'mac'}, 'macos')).toMatchObject({
    where: 'A Mac',
    note: 'with version 11.1',
    command: null,
  });
});

describe('names that want to be commands', () => {
  test.each([
    ["a'; rm -rf ~", 'linux', "'a'\\''; rm -rf ~'"],
    ['$(reboot)`id`', 'linux', "'$(reboot)`id`'"],
    ["a'; calc", 'powershell', "'a''; calc'"],
    ['-delete', 'linux', "'-delete'"],
  ] as const)('%s is quoted in %s', (name, shell, as) =>
    expect(get('Linux', {origin: 'build', debug_file: name, code_file: name}, shell).command).toContain(as),
  );

  test.each(['a\u2019; calc', 'a"b', 'a*', 'a[b]', 'a\\b', '../x', 'a\u202eb', 'a\nb'])('%j makes none', name =>
    expect(get('Windows NT', {origin: 'build', debug_file: name, code_file: name}, 'powershell').command).toBe(null),
  );

  test('nor does a path on a server', () =>
    expect(get('Windows NT', {...microsoft, paths: ['../atlas.pdb']}, 'linux').command).toBe(null));
});

test('the shell is that of the system until another was chosen', () => {
  expect(['Win32', 'MacIntel', 'Linux x86_64', ''].map(shellOf)).toEqual(['powershell', 'macos', 'linux', 'linux']);
  expect([asShell('macos', 'Win32'), asShell('__proto__', 'Win32'), asShell(null, 'iPhone')]).toEqual([
    'macos',
    'powershell',
    'macos',
  ]);
});

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
