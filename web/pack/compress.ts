// The compressed copies of each file: .gz and .br, for hosts that send these to browsers that accept them, and .xz of the folded program, which
// the page requests itself.
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {brotliCompress, brotliDecompress, constants, gunzip, gzip} from 'node:zlib';
import SevenZip from '7z-wasm';
import about7z from '7z-wasm/package.json' with {type: 'json'};
import {unfolded} from '../src/offline/folded.ts';
import {unxz} from '../src/offline/xz.ts';
import {type Cache, openCache} from './cache.ts';
import {filesOf} from './files.ts';
import {fold} from './fold.ts';

// 7-Zip as WebAssembly: xz, which Node lacks, and gzip that is 3 % smaller than Node's. Every machine makes the same bytes.

/** The longest matches, a thousand candidates for each, and four bits of the byte before as context make the program 20 KB smaller than -mx=9 alone. */
const SETTINGS: readonly string[] = ['-mx=9', '-m0=LZMA2:d=16m:fb=273:mc=1000:lc=4'];

/** 15 passes over each block of deflate, and no time of the file, which differs from build to build. */
const GZIP: readonly string[] = ['-mx=9', '-mfb=258', '-mpass=15', '-mtm=off'];

/** The .xz file of bytes: one block, by one thread: with several, 7-Zip would split the file. A dictionary of 16 MB makes the program 4 KB smaller than one of 8 MB does. */
export const xz = (bytes: Uint8Array): Promise<Buffer> => sevenZip(bytes, 'file.xz', [...SETTINGS, '-mmt=1']);

/** The .gz file of bytes. */
const smallGzip = (bytes: Uint8Array): Promise<Buffer> => sevenZip(bytes, 'file.gz', GZIP);

// 7-Zip tells the format by the name.
async function sevenZip(bytes: Uint8Array, name: string, settings: readonly string[]): Promise<Buffer> {
  const messages: string[] = [];
  const zip = await SevenZip({print: () => {}, printErr: text => messages.push(text)});
  zip.FS.writeFile('file', bytes);
  zip.callMain(['a', ...settings, name, 'file']);
  if (messages.length > 0) throw new Error(`7-Zip: ${messages.join(' ')}`);
  return Buffer.from(zip.FS.readFile(name));
}

/** Files that are worth compressing, which pictures are not. The host's owner may change site.json, and Vercel itself reads vercel.json. */
const isWorthwhile = (path: string): boolean =>
  /\.(cpp|css|dmp|elf|html|js|json|svg|sym|txt|wasm|webmanifest)$/.test(path) &&
  !['site.json', 'vercel.json'].includes(path);

/** Whether a file is the compressed copy of another. */
export const isCopy = (path: string): boolean => /\.(br|gz|xz)$/.test(path);

/** Writes PATH.gz and PATH.br beside each file that is worth compressing, and PATH.xz of the folded program. The folder caches copies of earlier builds. */
export async function compress(dist: string, folder: string): Promise<void> {
  const paths = (await filesOf(dist)).filter(isWorthwhile);
  const cache = await openCache(folder);
  await Promise.all(paths.flatMap(path => packings(path).map(form => neighbour(join(dist, path), form, cache))));
  await cache.tidy();
}

/** The slowest first: Node compresses several files at once, and xz runs meanwhile. */
const packings = (path: string): readonly Form[] => (path.endsWith('.wasm') ? ['br', 'xz', 'gz'] : ['br', 'gz']);

type Form = 'br' | 'gz' | 'xz';

async function neighbour(file: string, form: Form, cache: Cache): Promise<void> {
  const bytes = await readFile(file);
  const content = form === 'xz' ? await fold(bytes) : bytes;
  await writeFile(`${file}.${form}`, await cache.get(`${form} ${packer}`, content, pack[form]));
}

/** The versions and settings of the compressors, as a part of the cache key: others may give other bytes. */
const packer = [
  ...[process.versions.node, process.versions.zlib, process.versions['brotli'], about7z.version],
  ...SETTINGS,
  ...GZIP,
].join(' ');

const pack: Readonly<Record<Form, (bytes: Buffer) => Promise<Buffer>>> = {
  br: bytes => {
    const params = {[constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length};
    return promisify(brotliCompress)(bytes, {params});
  },
  // Few hosts send the program as .gz, for which 7-Zip needs a minute.
  gz: bytes => (bytes.length > 1 << 20 ? promisify(gzip)(bytes, {level: 9}) : smallGzip(bytes)),
  xz,
};

/** A file's content, decompressed if its name says that it is compressed. */
export async function unpacked(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  if (file.endsWith('.br')) return promisify(brotliDecompress)(bytes);
  if (file.endsWith('.xz'))
    return Buffer.from(
      await new Response(new Blob([bytes]).stream().pipeThrough(unxz()).pipeThrough(unfolded())).arrayBuffer(),
    );
  return file.endsWith('.gz') ? promisify(gunzip)(bytes) : bytes;
}
