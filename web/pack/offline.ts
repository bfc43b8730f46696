// sw.js: the service worker, with the list of what it keeps and the digest of each file.
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {build} from 'vite';
import {LICENCES} from '../src/share/onefile.ts';
import {digestOf, filesOf, sha256} from './files.ts';

/**
 * The files that a visit without a network needs. site.json belongs to the host, and is requested
 * each time. Where the page is installed, the browser itself keeps the icons of the manifest.
 */
const isKept = (path: string): boolean =>
  path === 'index.html' ||
  path.startsWith('assets/') ||
  LICENCES.some(name => name === path) ||
  /^(crashglass\.webmanifest|icon\.svg)$/.test(path);

/** Builds sw.js into dist. Its name has no digest, because browsers look for the next version under the same name. */
export async function offline(dist: string, web: string): Promise<void> {
  const files: Record<string, string> = {};
  // Hosts may answer index.html with a redirect to the folder, so the folder is requested.
  for (const path of await filesOf(dist)) {
    if (isKept(path)) files[path === 'index.html' ? './' : path] = await digestOf(join(dist, path));
  }
  const name = sha256(JSON.stringify(files)).slice(0, 16);
  await build({
    configFile: false,
    mode: 'production',
    root: web,
    publicDir: false,
    logLevel: 'warn',
    define: {BUILD: JSON.stringify({name, files})},
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: 'es2022',
      lib: {entry: join(web, 'src/offline/sw.ts'), formats: ['iife'], name: 'sw', fileName: () => 'sw.js'},
    },
  });
  const made = await readFile(join(dist, 'sw.js'), 'utf8');
  if (!made.includes(name)) throw new Error('sw.js does not know its build');
}
