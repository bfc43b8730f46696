// Files by the editor's own file system: on other machines, in repositories, and in browsers.
import * as vscode from 'vscode';
import {inMemory, type Source} from './parts.ts';

export const nameOf = (file: vscode.Uri): string => file.path.slice(file.path.lastIndexOf('/') + 1);

/** A file that can be read only whole. */
export const wholeFile = async (file: vscode.Uri): Promise<Source> =>
  inMemory(nameOf(file), await vscode.workspace.fs.readFile(file));
