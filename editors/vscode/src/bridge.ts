// Runs in the webview, before the page, as a script that the page's policy names by its digest. It takes the dump from the extension and
// puts it into the page's own field for files, once the page has locked itself.
import type {FromPage, ToPage} from './parts.ts';

declare function acquireVsCodeApi(): {postMessage(message: FromPage): void};

const editor = acquireVsCodeApi();
const parts: Blob[] = [];

addEventListener('message', ({data}: MessageEvent<ToPage>) => {
  if (data.kind === 'end') open(new File(parts.splice(0), data.name));
  else {
    parts.push(new Blob([data.bytes]));
    editor.postMessage('next');
  }
});

/** The page's lock is a second policy. */
const isLocked = (): boolean => document.querySelectorAll('meta[http-equiv="Content-Security-Policy"]').length > 1;

const field = (): HTMLInputElement | null => document.querySelector('input[data-opens="files"]');

function open(file: File): void {
  const input = field();
  if (!input) {
    editor.postMessage('failed');
    return;
  }
  const transfer = new DataTransfer();
  transfer.items.add(file);
  input.files = transfer.files;
  input.dispatchEvent(new Event('change'));
}

const observer = new MutationObserver(() => {
  if (!isLocked() || !field()) return;
  observer.disconnect();
  editor.postMessage('next');
});
observer.observe(document, {childList: true, subtree: true});

/** The page follows the theme of the editor, and not that of the system, unless the user chose one on the page. */
function followTheme(): void {
  const {style, dataset} = document.documentElement;
  const kinds = document.body?.classList;
  const isDark =
    kinds?.contains('vscode-dark') ||
    (kinds?.contains('vscode-high-contrast') && !kinds.contains('vscode-high-contrast-light'));
  style.colorScheme = dataset['theme'] ? '' : isDark ? 'dark' : 'light';
}

followTheme();
const themes = new MutationObserver(followTheme);
themes.observe(document.documentElement, {attributeFilter: ['data-theme']});
themes.observe(document.body, {attributeFilter: ['class']});
