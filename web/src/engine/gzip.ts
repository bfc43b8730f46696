// gzip, decompressed by the browser: 2.5 times as fast as Go, measured on 66 MB of symbols.
import {InMemory} from './reader.ts';

/** A larger result is not decompressed here; Go then reads the file as it is and says what is wrong with it. */
export const MOST = 4 * 2 ** 30;

/** The same for a dump: a larger one would take the browser's memory and this worker's, and Go keeps what it decompresses in blocks. */
export const MOST_OF_DUMP = 64 << 20;

/** How many bytes may be decompressed here, by the first ones: of symbols many, and of a minidump, but nothing of other files. */
function mostOf(chunk: Uint8Array): number {
  if (begins(chunk, 'MODULE ')) return MOST;
  return begins(chunk, 'MDMP') ? MOST_OF_DUMP : 0;
}

const begins = (chunk: Uint8Array, text: string): boolean =>
  [...text].every((letter, i) => chunk[i] === letter.charCodeAt(0));

/** Whether a file that begins like this is one. */
export const isGzip = ([a, b, c]: Uint8Array): boolean => a === 0x1f && b === 0x8b && c === 8;

/**
 * The content of a symbol file or a minidump that is compressed with gzip. null if file is something else, or if the browser cannot decompress
 * it: several members, a truncated end, too much data. Go's reader handles those, or says what is wrong. onprogress is called
 * with the decompressed size so far. The browser holds the bytes of symbols. Those of a minidump, which is read at once, stay here.
 *
 * Chromium writes a large Response into its profile folder, where it remains after the browser is closed. Firefox writes one of
 * more than a megabyte to a temporary file. So the chunks are collected into a Blob here, whose parts stay in memory.
 */
export async function gunzip(
  file: Blob,
  onprogress: (size: number) => void = () => {},
  most = MOST,
): Promise<Blob | null> {
  const magic = new Uint8Array(await file.slice(0, 3).arrayBuffer());
  if (!isGzip(magic)) return null;
  let size = 0;
  let limit = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, to) {
      if (size === 0) limit = Math.min(most, mostOf(chunk));
      size += chunk.length;
      if (limit > 0) onprogress(size);
      if (size <= limit) to.enqueue(chunk);
      else to.error(new RangeError('not for here'));
    },
  });
  try {
    const unpacked = file.stream().pipeThrough(new DecompressionStream('gzip')).pipeThrough(bounded);
    const pieces = await piecesOf(unpacked);
    return limit === MOST_OF_DUMP ? together(pieces, size) : new Blob(pieces);
  } catch {
    return null; // Go reads it, and says what is wrong with it
  }
}

async function piecesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read())
    pieces.push(next.value as Uint8Array<ArrayBuffer>);
  return pieces;
}

function together(pieces: readonly Uint8Array[], size: number): InMemory {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return new InMemory(bytes);
}

/** Go's name for the file inside of a gzip file: the archive's path, a slash, and the name without the ending. */
export function memberName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return `${path}/${name.replace(/(?<=.)\.gz$/i, '')}`;
}
