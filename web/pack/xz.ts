// Packing by xz, which Node cannot: 7-Zip, as WebAssembly, so that each machine makes the same bytes of a file.
import SevenZip from '7z-wasm';

/** The .xz file of bytes: one block, with a dictionary of 8 MB. */
export async function xz(bytes: Uint8Array): Promise<Buffer> {
  const said: string[] = [];
  const zip = await SevenZip({print: () => {}, printErr: text => said.push(text)});
  zip.FS.writeFile('file', bytes);
  // One thread: more of them would cut the file in blocks.
  zip.callMain(['a', '-txz', '-mx=9', '-md=8m', '-mmt=1', 'file.xz', 'file']);
  if (said.length > 0) throw new Error(`7-Zip: ${said.join(' ')}`);
  return Buffer.from(zip.FS.readFile('file.xz'));
}
