import {readFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {beforeEach, expect, test} from 'vitest';
import type * as vscode from 'vscode';
import {activate} from './desktop.ts';
import * as fake from './fake.ts';
import type {FromPage, ToPage} from './parts.ts';
import type {Viewer} from './viewer.ts';
import {activate as activateInBrowser} from './web.ts';

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
const context = (): vscode.ExtensionContext => ({subscriptions: [], extensionUri: {path: '/extension'}}) as never;
const uri = (path: string): vscode.Uri => ({scheme: 'file', path, fsPath: path}) as vscode.Uri;
const names = (kind: string): string[] =>
  [...fake.registered.keys()].flatMap(key =>
    key.startsWith(`${kind} `) && !key.includes(',') ? [key.slice(kind.length + 1)] : [],
  );
const run = (command: string, ...args: unknown[]): unknown =>
  (fake.registered.get(`command ${command}`) as (...all: unknown[]) => unknown)(...args);

beforeEach(() => {
  fake.registered.clear();
  fake.called.length = 0;
  Object.assign(fake.user, {picks: undefined, program: ''});
});

test('what the manifest names is registered, and nothing else', () => {
  activate(context());
  const {commands, customEditors, debuggers} = manifest.contributes;
  const named = (all: readonly Record<string, string>[], field: string): (string | undefined)[] =>
    all.map(one => one[field]);
  expect(names('command').sort()).toEqual([...named(commands, 'command'), debuggers[0].variables.pickDump].sort());
  expect(names('editor').sort()).toEqual(named(customEditors, 'viewType').sort());
  expect([names('adapter'), names('configuration')]).toEqual([named(debuggers, 'type'), named(debuggers, 'type')]);
  expect(manifest.activationEvents).toEqual(named(debuggers, 'type').map(type => `onDebugResolve:${type}`));
});

test('in a browser there is the viewer, and no debugger', () => {
  activateInBrowser(context());
  expect([names('editor').length, names('adapter'), names('command')]).toEqual([
    2,
    [],
    ['crashglass.open', 'crashglass.pick'],
  ]);
});

test('the manifest, its README and docs/editors.md have the same fields of a configuration', () => {
  const attributes = manifest.contributes.debuggers[0].configurationAttributes;
  expect(attributes.attach).toEqual(attributes.launch);
  for (const file of ['../README.md', '../../../docs/editors.md']) {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    expect(
      [...text.matchAll(/^\| `(\w+)` \| (?:the path of a dump|paths of|beginnings|`false`)/gm)].map(([, name]) => name),
    ).toEqual(Object.keys(attributes.launch.properties));
  }
});

test('a dump that is given is opened, and one that is picked; no choice opens nothing', async () => {
  activate(context());
  await run('crashglass.open', uri('/a/crash.dmp'));
  await run('crashglass.open');
  fake.user.picks = uri('/b/core');
  await run('crashglass.open');
  expect(fake.called).toEqual(
    ['/a/crash.dmp', '/b/core'].map(path => ['vscode.openWith', uri(path), 'crashglass.dump']),
  );
  expect(await run('crashglass.pick')).toBe('/b/core');
});

test('the debugger starts the program of the setting, and says what to do if there is none', async () => {
  activate(context());
  const {createDebugAdapterDescriptor: start} = fake.registered.get('adapter crashglass') as {
    createDebugAdapterDescriptor(): unknown;
  };
  fake.user.program = process.execPath;
  expect(start()).toEqual({command: process.execPath, args: ['dap']});
  fake.user.program = 'no-such-program';
  expect(start).toThrow(
    'no-such-program is not a program on PATH. Install crashglass, or set "crashglass.program" to its absolute path.',
  );
});

test('a configuration without a dump gets the one that is picked', async () => {
  activate(context());
  const {resolveDebugConfiguration: resolve} = fake.registered.get('configuration crashglass') as {
    resolveDebugConfiguration(folder: undefined, given: object): Promise<unknown>;
  };
  const given = {type: 'crashglass', request: 'attach', name: 'mine', dump: '/a/core', local: false};
  expect(await resolve(undefined, given)).toBe(given);
  expect(await resolve(undefined, {})).toBeUndefined();
  fake.user.picks = uri('/b/core');
  const own = {type: 'crashglass', request: 'launch', name: 'Crash dump', dump: '/b/core'};
  expect(await resolve(undefined, {})).toEqual(own);
  await run('crashglass.debug', uri('/b/core'));
  expect(fake.called).toEqual([[undefined, own]]);
});

test('a webview may load no file, and gets the file in parts', async () => {
  activate(context());
  const viewer = fake.registered.get('editor crashglass.core') as Viewer;
  const got: ToPage[] = [];
  let say: (said: FromPage) => void = () => {};
  let end: () => void = () => {};
  const webview = {
    options: {},
    html: '',
    postMessage: async (message: ToPage) => got.push(message) > 0,
    onDidReceiveMessage: (listener: typeof say) => {
      say = listener;
    },
  };
  const panel = {
    webview,
    onDidDispose: (listener: typeof end) => {
      end = listener;
    },
  };
  await viewer.resolveCustomEditor(viewer.openCustomDocument(uri(import.meta.filename)), panel as never);
  expect(webview).toMatchObject({
    html: '<html>the page</html>',
    options: {enableScripts: true, enableCommandUris: false, localResourceRoots: []},
  });
  say('next');
  await expect.poll(() => got.length).toBe(1);
  say('anything else' as FromPage);
  say('next');
  await expect.poll(() => got.length).toBe(2);
  const [part] = got;
  expect(part?.kind === 'part' && Buffer.from(part.bytes).equals(readFileSync(import.meta.filename))).toBe(true);
  expect(got[1]).toEqual({kind: 'end', name: basename(import.meta.filename)});
  end();
  say('failed');
  await expect
    .poll(() => fake.called)
    .toEqual([`${basename(import.meta.filename)} was not shown: the page took no file`]);
  expect(fake.registered.get('editor crashglass.core, options')).toMatchObject({
    webviewOptions: {retainContextWhenHidden: true},
  });
});
