// The lock. Everything that the page needs is in memory when this is called. From then on, nothing may leave the page.
//
// A policy can only forbid more. This one is added to that of index.html, and neither a script nor a later policy can
// remove it. A worker from a blob: URL inherits every policy in force when it starts, so the workers that hold dumps start
// after this. A worker from a file on the server would have the policy of that file's response.

/** connect-src refuses fetch, XMLHttpRequest, WebSocket, EventSource, WebTransport and beacons. */
export const LOCK = [
  "default-src 'none'",
  "connect-src 'none'",
  "script-src 'wasm-unsafe-eval'",
  'worker-src blob:',
  'img-src data: blob:',
  "style-src 'none'", // loaded styles stay; the policy does not apply to styles that a script sets
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** Adds the second policy. Only loading the page again removes it. */
export function lockPage(page: Document): void {
  const meta = page.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = LOCK;
  page.head.append(meta);
}
