// The page's worker, in somebody else's origin: it does not use the origin's private file system, which the page uses for data that does not fit into memory.
import '../src/engine/worker.ts';

const {locks} = navigator;
Object.defineProperty(globalThis, 'navigator', {value: {locks}});
