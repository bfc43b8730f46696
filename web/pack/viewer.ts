// viewer.html: the whole page in one file, which opens from a disk or a mail.
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import {oneFile} from '../src/share/onefile.ts';
import {filesOf, sha256} from './files.ts';

/** Writes viewer.html into dist, from index.html and the files that it loads. */
export async function viewer(dist: string): Promise<void> {
  const text = (path: string): Promise<string> => readFile(join(dist, path), 'utf8');
  const made = await oneFile(await text('index.html'), {
    paths: await filesOf(dist),
    text,
    packed: async path => (await promisify(gzip)(await readFile(join(dist, path)), {level: 9})).toString('base64'),
    digest: async text => sha256(text, 'base64'),
  });
  await writeFile(join(dist, 'viewer.html'), made);
}
