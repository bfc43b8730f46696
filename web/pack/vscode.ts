// Makes build/vscode, the extension for VS Code, from editors/vscode and dist/viewer.html. ./build.sh vscode packs it.
import {copyFile, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'vite';
import {bridged} from './bridged.ts';
import {notices} from './files.ts';

const project = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const out = project('build/vscode');
const source = project('editors/vscode');

/** Bundles a file of the extension, as VS Code loads it: a script of CommonJS on a desktop and in a browser. */
async function bundle(name: string, format: 'cjs' | 'iife'): Promise<void> {
  await build({
    configFile: false,
    mode: 'production',
    root: source,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: out,
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: {external: [/^vscode$/, /^node:/]},
      lib: {entry: join(source, `src/${name}.ts`), formats: [format], name: 'crashglass', fileName: () => `${name}.js`},
    },
  });
}

process.env['NODE_ENV'] = 'production';
await rm(out, {recursive: true, force: true});
await mkdir(out, {recursive: true});
await bundle('desktop', 'cjs');
await bundle('web', 'cjs');
await bundle('bridge', 'iife');
const bridge = await readFile(join(out, 'bridge.js'), 'utf8');
await writeFile(join(out, 'viewer.html'), bridged(await readFile(project('dist/viewer.html'), 'utf8'), bridge));
await rm(join(out, 'bridge.js'));
const about = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
about.version = process.env['CRASHGLASS_VERSION'] || about.version;
await writeFile(join(out, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
await copyFile(join(source, 'README.md'), join(out, 'README.md'));
await copyFile(project('web/public/icon-192.png'), join(out, 'icon.png'));
await copyFile(project('LICENSE'), join(out, 'LICENSE'));
await writeFile(join(out, 'THIRD_PARTY_LICENSES'), (await notices(project('THIRD_PARTY_LICENSES'))).page);
