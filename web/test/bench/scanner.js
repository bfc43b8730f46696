// One worker of scan.ts. Plain JavaScript, because threads of Node load no other.
import {readFileSync} from 'node:fs';
import {parentPort, workerData} from 'node:worker_threads';
import '../../../build/wasm_exec.js';

const bytes = new Uint8Array(workerData.shared);
const file = {path: 'large.sym', size: bytes.length, read: (at, count) => bytes.subarray(at, at + count)};

const go = new globalThis.Go();
const wasm = readFileSync(new URL('../../../build/viewer.wasm', import.meta.url));
const {instance} = await WebAssembly.instantiate(wasm, go.importObject);
void go.run(instance);

const ask = (request, files) => {
  const answer = globalThis.crashglass(JSON.stringify(request), files, () => {});
  if (!answer || 'error' in answer) throw new Error(answer?.error ?? 'the program ended');
};

for (let step = 0; step < 5; step++) ask({op: 'warm'}, []);
parentPort.postMessage('ready');
parentPort.on('message', ({from, to}) => {
  ask({op: 'scan', from, to}, [file]);
  parentPort.postMessage('done');
});
