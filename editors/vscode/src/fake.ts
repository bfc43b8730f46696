// The part of VS Code's API that the extension calls, for tests: it notes what was registered and what was called.
import type * as vscode from 'vscode';

export const registered = new Map<string, unknown>();
export const called: unknown[] = [];
/** What the user picks, and the setting crashglass.program. */
export const user: {picks: vscode.Uri | undefined; program: string} = {picks: undefined, program: ''};

const note =
  (kind: string) =>
  (name: string, what: unknown, options?: unknown): object => {
    registered.set(`${kind} ${name}`, what);
    if (options !== undefined) registered.set(`${kind} ${name}, options`, options);
    return {dispose: () => {}};
  };

export const commands = {
  registerCommand: note('command'),
  executeCommand: async (...all: unknown[]) => void called.push(all),
};
export const window = {
  registerCustomEditorProvider: note('editor'),
  showOpenDialog: async () => (user.picks ? [user.picks] : undefined),
  showErrorMessage: async (why: string) => void called.push(why),
  tabGroups: {activeTabGroup: {}},
};
export const debug = {
  registerDebugAdapterDescriptorFactory: note('adapter'),
  registerDebugConfigurationProvider: note('configuration'),
  startDebugging: async (...all: unknown[]) => void called.push(all),
};
export const workspace = {
  getConfiguration: () => ({get: (_: string, otherwise: string) => user.program || otherwise}),
  getWorkspaceFolder: () => undefined,
  fs: {readFile: async () => new TextEncoder().encode('<html>the page</html>')},
};
export const Uri = {
  joinPath: (base: {path: string}, name: string) => ({
    scheme: 'file',
    path: `${base.path}/${name}`,
    fsPath: `${base.path}/${name}`,
  }),
};
export class DebugAdapterExecutable {
  constructor(
    readonly command: string,
    readonly args: readonly string[],
  ) {}
}
export class TabInputCustom {}
