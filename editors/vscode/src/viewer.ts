// The custom editor: the page of Crashglass in a webview, which gets the file that was opened.
import * as vscode from 'vscode';
import {converse, type Source} from './parts.ts';

/** Opens a file for reading in ranges. */
export type OpenSource = (file: vscode.Uri) => Promise<Source>;

/** Shows dumps. The page may save nothing to the file, so the editor is read-only. */
export class Viewer implements vscode.CustomReadonlyEditorProvider {
  readonly #extension: vscode.Uri;
  readonly #open: OpenSource;

  constructor(extension: vscode.Uri, open: OpenSource) {
    this.#extension = extension;
    this.#open = open;
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return {uri, dispose: () => {}};
  }

  async resolveCustomEditor({uri}: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    // The page has everything inside: the webview may load no file, not even of the extension.
    panel.webview.options = {enableScripts: true, enableCommandUris: false, localResourceRoots: []};
    const page = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.#extension, 'viewer.html'));
    const source = await this.#open(uri);
    panel.onDidDispose(() => void source.close());
    converse(panel.webview, source, why => void vscode.window.showErrorMessage(why));
    panel.webview.html = new TextDecoder().decode(page);
  }
}
