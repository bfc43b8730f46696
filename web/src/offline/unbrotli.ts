// brotli, undone by brotli-dec-wasm where the browser has no DecompressionStream for it: Chromium, and WebKitGTK 2.50. It unpacks the
// 19 MB of the program in 0.7 s where zlib takes 0.55.
import {BrotliStreamResultCode, DecompressStream, initSync} from 'brotli-dec-wasm/web';

export type Unbrotli = ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;

/** How much is unpacked at once. */
const PIECE = 256 << 10;

/** A stream from packed to unpacked. */
export function unbrotli(module: WebAssembly.Module): Unbrotli {
  initSync({module});
  const decoder = new DecompressStream();
  let ended = false;
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(packed, to) {
      for (let at = 0, more = true; more && !ended; ) {
        const result = decoder.decompress(packed.subarray(at), PIECE);
        at += result.input_offset;
        to.enqueue(result.buf as Uint8Array<ArrayBuffer>);
        more = result.code === BrotliStreamResultCode.NeedsMoreOutput;
        ended = result.code === BrotliStreamResultCode.ResultSuccess;
        result.free();
      }
    },
    flush() {
      decoder.free();
      if (!ended) throw new Error('a packed file of the page ends too soon');
    },
  });
}
