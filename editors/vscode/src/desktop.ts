// The entry where there are processes and a disk: on a desktop, and on the remote side of a window.
import type * as vscode from 'vscode';
import {registerDebugger} from './debugger.ts';
import {onDisk} from './disk.ts';
import {register} from './extension.ts';
import {wholeFile} from './files.ts';

export function activate(context: vscode.ExtensionContext): void {
  register(context, file => (file.scheme === 'file' ? onDisk(file.fsPath) : wholeFile(file)));
  registerDebugger(context);
}
