// The page's worker as a thread of Node.
import './node-globals.ts';
import '../src/engine/worker.ts';
