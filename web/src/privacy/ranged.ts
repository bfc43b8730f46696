// Byte ranges of a file at a host. A response must match the request: the offset, the size and the version of the file, and the
// number of bytes. Any other response is refused with a sentence.

/** A range of bytes, the last one excluded. */
export type Range = readonly [from: number, to: number];

/** The size of the first request: enough to recognize the format and to read its headers. */
export const HEAD = 1 << 16;

/** Files below this size are requested as a whole, since ranges of them cost as much. SEARCHED in the engine's reader. */
export const LEAST = 32 << 20;

/** What a part must be of. */
export interface Version {
  readonly size: number;
  readonly tag: string;
}

/** The byte range of a part by its Content-Range, or null. RFC 9110, section 14.4. */
export function placeOf(header: string | null): {from: number; to: number; size: number} | null {
  const [, first, last, size] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header ?? '') ?? [];
  if (first === undefined) return null;
  return {from: Number(first), to: Number(last) + 1, size: Number(size)};
}

/** A strong ETag: a weak one may belong to other bytes. RFC 9110, section 8.8.3. */
export function strongTag(header: string | null): string | null {
  return header !== null && /^"[\x21\x23-\x7e]{1,200}"$/.test(header) ? header : null;
}

/** Whether the first part is the whole of a small file. */
export function isAll(response: Response): boolean {
  const place = placeOf(response.headers.get('content-range'));
  return response.status === 206 && !isPacked(response) && place?.from === 0 && place.to === place.size;
}

/** The file's size and version from the answer to the first request; null if it has to be requested as a whole. */
export function versionOf(response: Response): Version | null {
  const place = placeOf(response.headers.get('content-range'));
  const tag = strongTag(response.headers.get('etag'));
  if (response.status !== 206 || isPacked(response) || !place || !tag) return null;
  if (place.from !== 0 || place.to !== Math.min(HEAD, place.size) || place.size < LEAST) return null;
  return {size: place.size, tag};
}

const isPacked = (response: Response): boolean => {
  const encoding = response.headers.get('content-encoding');
  return encoding !== null && encoding !== 'identity';
};

/** Why an answer is not the requested part; null if it is. */
export function wrongPart(response: Response, [from, to]: Range, {size, tag}: Version): string | null {
  if (response.status === 200)
    return 'the host sent all of the file for a part of it: it has changed, or the host does not support parts';
  if (response.status !== 206) return `the host answered ${response.status} for a part of the file`;
  if (isPacked(response)) return 'the host compressed a part of the file';
  if (strongTag(response.headers.get('etag')) !== tag) return 'the file at the host has changed';
  const place = placeOf(response.headers.get('content-range'));
  if (!place) return 'the host does not say which part of the file it sent';
  if (place.size !== size) return `the file at the host has ${place.size} bytes now, and had ${size}`;
  if (place.from !== from || place.to !== to) return 'the host sent another part of the file than requested';
  return null;
}
