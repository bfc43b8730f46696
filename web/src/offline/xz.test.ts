import {randomBytes} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {xz} from '../../pack/compress.ts';
import {unxz} from './xz.ts';

/** Unpacks what comes in pieces of a size. */
async function unpack(packed: Uint8Array, piece = packed.length): Promise<Buffer> {
  const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(to) {
      for (let at = 0; at < packed.length; at += piece) to.enqueue(packed.slice(at, at + piece));
      to.close();
    },
  });
  return Buffer.from(await new Response(pieces.pipeThrough(unxz())).arrayBuffer());
}

/** Words in an order that repeats at all distances, with runs and noise between them: each kind of match and literal. */
function mixed(size: number): Buffer {
  let seed = 1;
  const next = (below: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const parts: Buffer[] = [];
  for (let made = 0; made < size; ) {
    const kind = next(4);
    const part =
      kind === 0
        ? Buffer.alloc(next(600), next(256))
        : kind === 1
          ? Buffer.from(Array.from({length: next(40)}, () => next(256)))
          : Buffer.from(`call $function_${next(900)} i32.const ${next(70)} `);
    parts.push(part);
    made += part.length;
  }
  return Buffer.concat(parts);
}

describe('what xz packed', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a byte', Buffer.from('x')],
    ['one byte again and again', Buffer.alloc(300_000, 'x')],
    ['noise, which is stored', randomBytes(200_000)],
    ['code', mixed(500_000)],
    ['more than the window, which goes round', Buffer.alloc(9_000_000, randomBytes(200_000))],
  ])(
    'is %s',
    async (_, bytes) => {
      expect((await unpack(await xz(bytes), 65_536)).equals(bytes)).toBe(true);
    },
    60_000,
  );

  test('comes in pieces of any size', async () => {
    const bytes = mixed(30_000);
    const packed = await xz(bytes);
    for (const size of [1, 2, 7, 1000]) expect((await unpack(packed, size)).equals(bytes)).toBe(true);
  });
});

describe('of a damaged file', () => {
  const bytes = mixed(200_000);

  test.each([0.1, 0.5, 0.9])('%d of it is an error', async part => {
    const packed = await xz(bytes);
    await expect(unpack(packed.subarray(0, packed.length * part))).rejects.toThrow('xz: ');
  });

  test('with other bytes, something comes or an error, and it ends', async () => {
    const packed = await xz(bytes);
    for (let at = 12; at < packed.length; at += 397) {
      const damaged = Buffer.from(packed);
      damaged[at] = (damaged[at] ?? 0) ^ 0x55;
      await unpack(damaged).catch((error: Error) => expect(error.message).toMatch(/^xz: /));
    }
  });

  test.each([
    [30, 128],
    [38, 2048],
    [40, 4096],
  ])('with a dictionary of kind %i, it says how large that is', async (kind, megabytes) => {
    const packed = await xz(bytes);
    packed[16] = kind;
    await expect(unpack(packed)).rejects.toThrow(`xz: a dictionary of ${megabytes * 2 ** 20} bytes`);
  });

  test('bytes after the block are ignored', async () => {
    const file = unxz();
    const writer = file.writable.getWriter();
    const made = new Response(file.readable).arrayBuffer();
    await writer.write(new Uint8Array(await xz(bytes)));
    for (let i = 0; i < 400; i++) await writer.write(new Uint8Array(65_536));
    await writer.close();
    expect(Buffer.from(await made).equals(bytes)).toBe(true);
  }, 2000);

  test('with another filter, it says which', async () => {
    const packed = await xz(bytes);
    packed[14] = 4;
    await expect(unpack(packed)).rejects.toThrow('xz: filters 0 and 4, not LZMA2 alone');
  });
});
