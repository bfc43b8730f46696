// xz compression, which Node lacks: 7-Zip as WebAssembly, so that every machine makes the same
// bytes.
import SevenZip from '7z-wasm';

/** The longest matches, and a thousand candidates for each, make the program 20 KB smaller than -mx=9 alone, with four bits of the byte before as context. */
export const SETTINGS: readonly string[] = ['-mx=9', '-m0=LZMA2:d=8m:fb=273:mc=1000:lc=4'];

/** The .xz file of bytes: one block, with a dictionary of 8 MB. */
export async function xz(bytes: Uint8Array): Promise<Buffer> {
  const said: string[] = [];
  const zip = await SevenZip({print: () => {}, printErr: text => said.push(text)});
  zip.FS.writeFile('file', bytes);
  // One thread: with several, 7-Zip would split the file into blocks.
  zip.callMain(['a', '-txz', ...SETTINGS, '-mmt=1', 'file.xz', 'file']);
  if (said.length > 0) throw new Error(`7-Zip: ${said.join(' ')}`);
  return Buffer.from(zip.FS.readFile('file.xz'));
}
