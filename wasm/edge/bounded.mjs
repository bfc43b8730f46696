// A stream that fails once it exceeds a limit of bytes: its reader sees an error, not an end. It is JavaScript because a
// call into Go takes longer than moving one chunk. It reads large chunks, since the platform's own have 4 KiB.
const PIECE = 256 * 1024;

globalThis.bounded = (stream, most) => {
  const {readable, writable} = new IdentityTransformStream();
  const [from, to] = [stream.getReader({mode: 'byob'}), writable.getWriter()];
  pump(from, to, most).catch(error => Promise.allSettled([to.abort(error), from.cancel(error)]));
  return readable;
};

async function pump(from, to, most) {
  for (let seen = 0; ; ) {
    const {value, done} = await from.readAtLeast(PIECE, new Uint8Array(PIECE));
    if (value?.byteLength) {
      seen += value.byteLength;
      if (seen > most) throw new RangeError('the file is too large');
      await to.write(value);
    }
    if (done) return to.close();
  }
}
