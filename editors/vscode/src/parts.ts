// How a file gets into the page: in parts, each after the page has said that it took the one before. So neither side holds more than
// a part of a large core besides the page's own copy, which the browser may keep on disk.

/** From the page to the extension. It has no other message: what a hostile dump could make of the page reaches nothing. */
export type FromPage = 'next' | 'failed';

/** From the extension to the page. */
export type ToPage =
  | {readonly kind: 'part'; readonly bytes: Uint8Array<ArrayBuffer>}
  | {readonly kind: 'end'; readonly name: string};

/** A file that is read in ranges. */
export interface Source {
  readonly name: string;
  readonly size: number;
  read(at: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** Bytes of a part. */
export const PART = 4 << 20;

/** The part of vscode.Webview that is used. */
export interface Webview {
  postMessage(message: ToPage): PromiseLike<boolean>;
  onDidReceiveMessage(listener: (said: FromPage) => void): unknown;
}

/** Sends the page what it asks for. Why the file could not be read is an error of the editor, which the page does not learn. */
export function converse(webview: Webview, source: Source, fail: (why: string) => void): void {
  const next = answers(source);
  const answer = async (said: FromPage): Promise<void> => {
    if (said === 'next') await webview.postMessage(await next());
    else if (said === 'failed') throw new Error('the page took no file');
  };
  webview.onDidReceiveMessage(said => {
    answer(said).catch(error => fail(`${source.name} was not shown: ${error.message}`));
  });
}

/** The next part of the file, and its name at the end. A file that shrinks meanwhile ends early. */
function answers(source: Source): () => Promise<ToPage> {
  let at = 0;
  return async () => {
    const bytes = at < source.size ? await source.read(at, Math.min(PART, source.size - at)) : new Uint8Array();
    at += bytes.length;
    return bytes.length > 0 ? {kind: 'part', bytes} : {kind: 'end', name: source.name};
  };
}

/** A file whose content is in memory. */
export const inMemory = (name: string, all: Uint8Array): Source => ({
  name,
  size: all.length,
  read: async (at, length) => all.slice(at, at + length),
  close: async () => {},
});
