// Makes build/library, the npm package "crashglass": the page's engine without the page.
import {spawnSync} from 'node:child_process';
import {copyFile, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'vite';
import {notices} from './files.ts';
import {joined} from './segments.ts';

const project = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const out = project('build/library');
const source = project('web/library');

/** Bundles a file of web/library. The worker of a browser is a classic script, and the others are modules. */
async function bundle(name: string, format: 'es' | 'iife', ssr = false): Promise<void> {
  await build({
    configFile: false,
    mode: 'production',
    root: source,
    publicDir: false,
    logLevel: 'warn',
    ssr: {noExternal: true},
    build: {
      ssr,
      outDir: out,
      emptyOutDir: false,
      target: 'es2022',
      lib: {entry: join(source, `${name}.ts`), formats: [format], name: 'crashglass', fileName: () => `${name}.js`},
    },
  });
}

process.env['NODE_ENV'] = 'production';
await rm(out, {recursive: true, force: true});
await bundle('browser', 'es');
await bundle('browser-worker', 'iife');
await bundle('element', 'es');
await bundle('node', 'es', true);
await bundle('node-worker', 'es', true);
const types = spawnSync(
  process.execPath,
  [project('web/node_modules/typescript/bin/tsc'), '-p', source, '--outDir', join(out, 'types')],
  {
    stdio: 'inherit',
  },
);
if (types.status !== 0) throw new Error('the types of the library were not made');
await writeFile(join(out, 'crashglass.wasm'), joined(await readFile(project('build/viewer.wasm'))));
const about = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
about.sideEffects = ['./element.js']; // not in web/library, where it would remove node-globals.ts
about.version = process.env['CRASHGLASS_VERSION'] || about.version;
await writeFile(join(out, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
await copyFile(join(source, 'README.md'), join(out, 'README.md'));
await copyFile(project('LICENSE'), join(out, 'LICENSE'));
await writeFile(join(out, 'THIRD_PARTY_LICENSES'), (await notices(project('THIRD_PARTY_LICENSES'))).page);
