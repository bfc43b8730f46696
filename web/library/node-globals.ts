// What the page's worker uses of a browser, in a thread of Node.
import {parentPort} from 'node:worker_threads';
import type {FromWorker, SentFile, ToWorker} from '../src/engine/protocol.ts';
import {InMemory} from '../src/engine/reader.ts';

/** Files arrive as shared memory. */
const received = ({path, file}: SentFile): SentFile => ({
  path,
  file: file instanceof SharedArrayBuffer ? new InMemory(new Uint8Array(file) as Uint8Array<never>) : file,
});

const toBrowsers = (message: ToWorker): ToWorker =>
  message.kind === 'request' ? {...message, files: message.files.map(received)} : message;

Object.assign(globalThis, {
  addEventListener: (_: 'message', listener: (event: {data: ToWorker}) => void) =>
    parentPort?.on('message', (message: ToWorker) => listener({data: toBrowsers(message)})),
  postMessage: (message: FromWorker, {transfer}: {transfer: ArrayBuffer[]}) =>
    parentPort?.postMessage(message, transfer),
});
// Node 24 has locks, which the end of a thread makes unnecessary, and Node 20 has no navigator.
Object.defineProperty(globalThis, 'navigator', {value: {}});
