// Checks the answers of symbol servers by their first bytes. A host may answer with a sign-in page, a listing or an error under
// status 200. Such an answer is no symbol file, and is not passed to a worker that holds a dump.

// Sources: Breakpad's symbol_files.md; the magics of PDB in LLVM's docs/PDB/MsfFile.rst; System V ABI (ELF); winnt.h (PE);
// mach-o/loader.h and fat.h; RFC 1952 (gzip), RFC 8878 (Zstandard); xz-file-format.txt; [MS-CAB]; APPNOTE.TXT (zip).
const beginnings: readonly string[] = [
  'MODULE ',
  '\xef\xbb\xbfMODULE ', // by an editor that writes a byte order mark
  'Microsoft C/C++ MSF 7.00\r\n',
  'Microsoft C/C++ program database 2.00\r\n',
  '\x7fELF',
  'MZ',
  '\xce\xfa\xed\xfe',
  '\xcf\xfa\xed\xfe',
  '\xfe\xed\xfa\xce',
  '\xfe\xed\xfa\xcf',
  '\xca\xfe\xba\xbe',
  '\xca\xfe\xba\xbf',
  '\x1f\x8b\x08',
  '\x28\xb5\x2f\xfd',
  '\xfd7zXZ\0',
  'MSCF',
  'PK\x03\x04',
];

/** The reason if the host has no such file, which is no failure. */
export const NOT_THERE = 'not there';

const longest = Math.max(...beginnings.map(text => text.length));

/** Why a file is no symbol file by its first bytes, or null if it may be one. */
export async function notSymbols(file: Blob): Promise<string | null> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, longest).arrayBuffer()));
  if (beginnings.some(text => head.startsWith(text))) return null;
  if (file.size === 0) return 'it sent an empty file';
  return /^(\xef\xbb\xbf)?\s*</.test(head) ? 'it sent a web page instead' : 'it sent something else';
}
