// A webview as VS Code makes it, without VS Code: the frames, policies and sandbox of out/vs/workbench/contrib/webview/browser/pre/index.html
// in VS Code 1.139. The window of the editor has a frame of a foreign origin, whose policy allows frames of that origin alone; in it is a sandboxed
// frame with an empty document, into which the extension's HTML is written, behind a script and a style of VS Code.
import type {Frame, Page} from 'playwright-core';
import type {FromPage, ToPage, Webview} from '../../editors/vscode/src/parts.ts';
import {type Site, serve} from './browser.ts';

const outer = `<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; frame-src 'self'; style-src 'unsafe-inline'">
</head><body><script type="module">
const api = \`(function () {
  const [send, own] = [window.parent.postMessage.bind(window.parent), window.origin];
  globalThis.acquireVsCodeApi = () => Object.freeze({postMessage: data => send({command: 'onmessage', data}, own)});
  delete window.parent; delete window.top; delete window.frameElement;
})();\`;
const frame = () => document.querySelector('iframe');
addEventListener('message', ({source, data}) => {
  if (frame() && source === frame().contentWindow) return window.parent.postMessage(data, '*');
  if (data.html === undefined) return frame().contentWindow.postMessage(data.message, window.origin);
  const page = new DOMParser().parseFromString(data.html, 'text/html');
  const [script, style] = [page.createElement('script'), page.createElement('style')];
  script.textContent = api;
  style.textContent = 'html { scrollbar-color: gray transparent }';
  page.head.prepend(style, script);
  page.body.className = 'vscode-dark';
  const inner = document.createElement('iframe');
  inner.sandbox = 'allow-same-origin allow-pointer-lock allow-scripts allow-downloads allow-forms';
  inner.allow = 'cross-origin-isolated; autoplay; local-network-access; clipboard-read; clipboard-write;';
  inner.style.cssText = 'position: absolute; inset: 0; width: 100%; height: 100%; border: 0';
  inner.src = './fake.html';
  inner.addEventListener('load', () => {
    inner.contentDocument.open();
    inner.contentDocument.write('<!DOCTYPE html>\\\\n' + page.documentElement.outerHTML);
    inner.contentDocument.close();
  }, {once: true});
  document.body.append(inner);
});
window.parent.postMessage('ready', '*');
</script></body></html>`.replaceAll('\\\\n', '\\n');

export interface Webviews {
  readonly site: Site;
  /** Shows HTML in a webview of the page. The extension answers by the webview that listen gets. */
  open(page: Page, html: string, listen: (webview: Webview) => void): Promise<Frame>;
  close(): Promise<void>;
}

/** The two origins: the editor's window, and its webviews. */
export async function startWebviews(): Promise<Webviews> {
  const served = (path: string): string | undefined =>
    ({'/': '<!doctype html><title>an editor</title>', '/outer.html': outer, '/fake.html': '', '/favicon.ico': ''})[
      path
    ];
  const answer: Parameters<typeof serve>[1] = (request, response) => {
    const text = served(request.url ?? '');
    if (text === undefined) return false;
    response.writeHead(200, {'Content-Type': 'text/html; charset=utf-8'}).end(text);
    return true;
  };
  const [editor, site] = await Promise.all([serve('/nonexistent', answer), serve('/nonexistent', answer)]);
  return {
    site,
    open: (page, html, listen) => open(page, editor.url, site.url, html, listen),
    close: async () => void (await Promise.all([editor.close(), site.close()])),
  };
}

async function open(
  page: Page,
  editor: string,
  webviews: string,
  html: string,
  listen: (webview: Webview) => void,
): Promise<Frame> {
  let hear: (said: FromPage) => void = () => {};
  await page.exposeFunction('toExtension', ({data}: {data: FromPage}) => hear(data));
  await page.goto(editor);
  listen({
    onDidReceiveMessage: listener => {
      hear = listener;
    },
    postMessage: async message => {
      const sent =
        message.kind === 'part' ? {kind: 'part', base64: Buffer.from(message.bytes).toString('base64')} : message;
      await page.evaluate(toWebview, sent as ToPage & {base64?: string});
      return true;
    },
  });
  await page.evaluate(
    ([src, html]) =>
      new Promise<void>(resolve => {
        const frame = document.createElement('iframe');
        frame.style.cssText = 'position: absolute; inset: 0; width: 100%; height: 100%; border: 0';
        frame.sandbox.add('allow-scripts', 'allow-same-origin', 'allow-forms', 'allow-pointer-lock', 'allow-downloads');
        addEventListener('message', ({data}) => {
          if (data !== 'ready') return Reflect.get(window, 'toExtension')(data);
          frame.contentWindow?.postMessage({html}, '*');
          resolve();
        });
        frame.src = src;
        document.body.append(frame);
      }),
    [`${webviews}outer.html`, html] as const,
  );
  return innerFrame(page);
}

function toWebview({base64, ...message}: ToPage & {base64?: string}): void {
  const bytes = base64 === undefined ? {} : {bytes: Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))};
  window.frames[0]?.postMessage({message: {...message, ...bytes}}, '*');
}

async function innerFrame(page: Page): Promise<Frame> {
  for (;;) {
    const [, , inner] = page.frames();
    if (inner && (await inner.locator('#app').count()) > 0) return inner;
    await new Promise(resolve => setTimeout(resolve, 25));
  }
}
