// Files inside of the page: viewer.html has all of them, compressed, in elements; other pages have
// none.

/** Whether this page is one file and sends no request. */
export const isWhole = (): boolean => element('*') !== null;

const element = (name: string): HTMLScriptElement | null =>
  document.querySelector<HTMLScriptElement>(
    name === '*' ? 'script[data-file]' : `script[data-file="${CSS.escape(name)}"]`,
  );

/** A file by the last part of its address; null if it is not inside of the page. */
export function inside(url: string): Response | null {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const packed = element(name)?.textContent;
  if (packed === undefined || packed === null) return null;
  return unpacked(packed, name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream');
}

/** The content of such an element: gzip in base64. */
export function unpacked(packed: string, type: string): Response {
  const stream = new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream, {headers: {'content-type': type}});
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}
