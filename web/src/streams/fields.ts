// The bytes of a file and what they mean: which field a byte is in, and the rows around it.
import type {Field} from '../engine/types.ts';

/** Bytes of a file are requested in pages of this size, at multiples of it. */
export const filePage = 4096;

/** Fields that are listed at once. */
export const fieldsListed = 100;

/** The field of a byte of the file, the shortest if there are several; -1 for none. */
export function fieldAt(fields: readonly Field[], offset: number): number {
  let found = -1;
  fields.forEach((field, i) => {
    if (offset < field.offset || offset >= field.offset + field.size) return;
    const best = fields[found];
    if (!best || field.size < best.size) found = i;
  });
  return found;
}

/** The fields that are listed while this one is selected: always the same ones for all of them. */
export function listed(count: number, selected: number): {from: number; to: number} {
  const from = Math.floor(Math.max(0, selected) / fieldsListed) * fieldsListed;
  return {from, to: Math.min(count, from + fieldsListed)};
}

/** Fields in their order, those of one record together. */
export function byRecord(
  fields: readonly Field[],
  from: number,
  to: number,
): {record: string; fields: {field: Field; index: number}[]}[] {
  const groups: {record: string; fields: {field: Field; index: number}[]}[] = [];
  for (let index = from; index < to; index++) {
    const field = fields[index];
    if (!field) break;
    const last = groups.at(-1);
    if (last && last.record === field.record) last.fields.push({field, index});
    else groups.push({record: field.record, fields: [{field, index}]});
  }
  return groups;
}

export interface FileCell {
  readonly offset: number;
  /** null after the end of the file, and before it was read. */
  readonly byte: number | null;
  /** The index of its field; -1 for none. */
  readonly field: number;
  /** Its field begins here. */
  readonly first: boolean;
}

/** Rows of bytes from an offset on, with the field of each; at gives a page of the file, or null. */
export function fileRows(
  top: number,
  rows: number,
  perRow: number,
  fields: readonly Field[],
  at: (page: number) => Uint8Array | null,
): FileCell[][] {
  const end = top + rows * perRow;
  const near = fields
    .map((field, index) => ({field, index}))
    .filter(({field}) => field.offset < end && field.offset + field.size > top);
  const cell = (offset: number): FileCell => {
    const page = Math.floor(offset / filePage) * filePage;
    const local = fieldAt(
      near.map(n => n.field),
      offset,
    );
    const found = near[local];
    return {
      offset,
      byte: at(page)?.[offset - page] ?? null,
      field: found?.index ?? -1,
      first: found?.field.offset === offset,
    };
  };
  return Array.from({length: rows}, (_, row) => Array.from({length: perRow}, (_, i) => cell(top + row * perRow + i)));
}
