// The entry in a browser, such as vscode.dev: the viewer alone.
import type * as vscode from 'vscode';
import {register} from './extension.ts';
import {wholeFile} from './files.ts';

export const activate = (context: vscode.ExtensionContext): void => register(context, wholeFile);
