// What both entries register: the commands, and the editor for dumps. desktop.ts adds the debugger, which needs a process.
import * as vscode from 'vscode';
import {type OpenSource, Viewer} from './viewer.ts';

/** The editors of package.json: that of .dmp opens by itself, and that of cores is an option, since core.js is no core. */
const VIEWS = ['crashglass.dump', 'crashglass.core'] as const;

export function register(context: vscode.ExtensionContext, open: OpenSource): void {
  const viewer = new Viewer(context.extensionUri, open);
  // A hidden page would be a page that forgot its dump, and all that was typed and selected.
  const options = {webviewOptions: {retainContextWhenHidden: true}, supportsMultipleEditorsPerDocument: true};
  context.subscriptions.push(
    ...VIEWS.map(view => vscode.window.registerCustomEditorProvider(view, viewer, options)),
    vscode.commands.registerCommand('crashglass.open', openDump),
    vscode.commands.registerCommand('crashglass.pick', async () => (await pickDump())?.fsPath),
  );
}

/** Shows a file, or the one that the user picks, whatever its name. */
async function openDump(file?: vscode.Uri): Promise<void> {
  const chosen = file ?? (await pickDump());
  if (chosen) await vscode.commands.executeCommand('vscode.openWith', chosen, VIEWS[0]);
}

export async function pickDump(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({title: 'Open crash dump', openLabel: 'Open'});
  return chosen?.[0];
}
