// The door. What the page needs is in memory when this is called, and from then on nothing of it may leave the page.
//
// Policies only ever narrow: this one stands beside that of index.html, and neither a script nor a later policy can
// take it away. A worker made from a blob: URL inherits every policy in force when it starts, which is why the workers
// that hold dumps start after this. A worker made from a file on the server would have the policy of that file's response.

/** connect-src refuses fetch, XMLHttpRequest, WebSocket, EventSource, WebTransport and beacons. */
export const LOCK = [
  "default-src 'none'",
  "connect-src 'none'",
  "script-src 'wasm-unsafe-eval'",
  'worker-src blob:',
  'img-src data: blob:',
  "style-src 'none'", // what is loaded stays; styles set by script are no matter of the policy
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** Adds the second policy. There is no way back but to load the page again. */
export function lockDoor(page: Document): void {
  const meta = page.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = LOCK;
  page.head.append(meta);
}
