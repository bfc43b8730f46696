// The debugger: the program crashglass, which speaks the Debug Adapter Protocol.
import * as vscode from 'vscode';
import {pickDump} from './extension.ts';
import {findProgram} from './program.ts';

const TYPE = 'crashglass';

export function registerDebugger(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {createDebugAdapterDescriptor}),
    vscode.debug.registerDebugConfigurationProvider(TYPE, {resolveDebugConfiguration}),
    vscode.commands.registerCommand('crashglass.debug', debugDump),
  );
}

function createDebugAdapterDescriptor(): vscode.DebugAdapterDescriptor {
  const name = vscode.workspace.getConfiguration(TYPE).get('program', TYPE);
  const found = findProgram(name);
  if (!found) {
    throw new Error(
      `${name} is not a program on PATH. Install crashglass, or set "crashglass.program" to its absolute path.`,
    );
  }
  return new vscode.DebugAdapterExecutable(found, ['dap']);
}

/** Without a launch.json, F5 has an empty configuration: the user picks the dump. */
async function resolveDebugConfiguration(
  _: vscode.WorkspaceFolder | undefined,
  given: vscode.DebugConfiguration,
): Promise<vscode.DebugConfiguration | undefined> {
  if (given['dump']) return given;
  const dump = await pickDump();
  return dump && {...given, ...configurationOf(dump)};
}

const configurationOf = (dump: vscode.Uri): vscode.DebugConfiguration => ({
  type: TYPE,
  request: 'launch',
  name: 'Crash dump',
  dump: dump.fsPath,
});

/** Shows a file, or the one that is open, or the one that the user picks. */
async function debugDump(file?: vscode.Uri): Promise<void> {
  const dump = file ?? activeDump() ?? (await pickDump());
  if (dump) await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(dump), configurationOf(dump));
}

function activeDump(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? input.uri : undefined;
}
