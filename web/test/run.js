// Runs a TypeScript file on any Node that Vite runs on: Node 20 cannot by itself.
import {pathToFileURL} from 'node:url';
import {runnerImport} from 'vite';

const [file] = process.argv.slice(2);
if (!file) throw new Error('usage: node run.js FILE.ts');
await runnerImport(pathToFileURL(file).href, {logLevel: 'warn', configFile: false});
