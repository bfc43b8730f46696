// viewer.html: the whole page in one file, which opens from a disk or a mail.
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {oneFile} from '../src/share/onefile.ts';
import {isCopy} from './compress.ts';
import {filesOf, sha256} from './files.ts';

/** Writes viewer.html into dist, from index.html and the compressed copies of the files that it loads. */
export async function viewer(dist: string): Promise<void> {
  const text = (path: string): Promise<string> => readFile(join(dist, path), 'utf8');
  const made = await oneFile(await text('index.html'), {
    paths: (await filesOf(dist)).filter(path => !isCopy(path)),
    text,
    packed: path => readFile(join(dist, path.endsWith('.wasm') ? `${path}.xz` : `${path}.gz`), 'base64'),
    digest: async text => sha256(text, 'base64'),
  });
  await writeFile(join(dist, 'viewer.html'), made);
}
