// The packed neighbours of each file, .gz and .br, for hosts that send those where a browser takes them.
import {readFile, writeFile} from 'node:fs/promises';
import {extname, join} from 'node:path';
import {promisify} from 'node:util';
import {brotliCompress, brotliDecompress, constants, gunzip, gzip} from 'node:zlib';
import {filesOf} from './files.ts';

/** What is worth it: pictures are packed already, and what configures a host is read by the host. */
const worthwhile = new Set(['.css', '.dmp', '.html', '.js', '.json', '.svg', '.sym', '.txt', '.wasm', '.webmanifest']);

/** viewer.html is packed inside; the owner of a host may write site.json anew. */
const isPacked = (path: string): boolean =>
  worthwhile.has(extname(path)) && !['site.json', 'vercel.json', 'viewer.html'].includes(path);

/** Writes PATH.gz and PATH.br beside each file that gains by it. */
export async function compress(dist: string): Promise<void> {
  for (const path of await filesOf(dist)) {
    if (!isPacked(path)) continue;
    const bytes = await readFile(join(dist, path));
    const params = {[constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length};
    await writeFile(join(dist, `${path}.br`), await promisify(brotliCompress)(bytes, {params}));
    await writeFile(join(dist, `${path}.gz`), await promisify(gzip)(bytes, {level: 9}));
  }
}

/** A file's content: unpacked, if its name says that it is packed. */
export async function unpacked(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  if (file.endsWith('.br')) return promisify(brotliDecompress)(bytes);
  return file.endsWith('.gz') ? promisify(gunzip)(bytes) : bytes;
}
