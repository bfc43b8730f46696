// The view of bytes: its position, its search, and the pages of memory that it needs.

import type {CapturedRange, Engine, Found} from '../engine/types.ts';
import {captured, lastAddress, type Page, pageOf, pageSize, pattern} from '../memory/bytes.ts';
import type {Hex} from '../memory/state.ts';
import {hex, parse} from '../text/hex.ts';
import {withEntry} from '../text/maps.ts';
import {focusOn} from '../widgets/focus.ts';
import {type Loadable, load, settle} from './loadable.ts';
import {currentDump, type OpenDump, type State} from './state.ts';
import type {Store} from './store.ts';

/** Rows in view; no other rows exist in the document. */
export const hexRows = 20;

// So many steps back are kept.
const mostBack = 100;

/** Bytes in a row: a phone has no room for sixteen. */
export const perRow = (state: Pick<State, 'layout'>): number => (state.layout.width === 'narrow' ? 8 : 16);

/** Pages in the cache: 16 MiB. */
export const mostPages = 4096;

export const pageKey = (dump: OpenDump, page: bigint): string => `${dump.id}.${page.toString(16)}`;

export function createBytes(store: Store, engine: Promise<Engine>) {
  const place = (caret: bigint, far: boolean, came?: readonly bigint[]): void =>
    store.update(state => {
      const dump = currentDump(state);
      if (!dump) return {};
      const hex = placed(state, dump, caret, far, came);
      // The result of a search disappears when the caret moves elsewhere, unless it moves to a hit.
      const isFound = hex.found?.state === 'done' && hex.found.value.addresses.some(a => parse(a) === caret);
      return {memory: {...state.memory, hex: far && !isFound ? {...hex, found: null} : hex}};
    });
  const show = (address: bigint, came: readonly bigint[]): void => {
    place(address, true, came);
    void store.drawn().then(() => focusOn(document.getElementById('hex'), 'center'));
  };
  return {
    /** Shows the bytes at an address, and moves the focus there. */
    show: (address: bigint) => {
      const {hex} = store.state.memory;
      show(address, hex && hex.dump === currentDump(store.state)?.id ? [...hex.came, hex.caret].slice(-mostBack) : []);
    },
    /** Shows the bytes that were shown before. */
    back: () => {
      const came = store.state.memory.hex?.came ?? [];
      const last = came.at(-1);
      if (last !== undefined) show(last, came.slice(0, -1));
    },
    /** Moves the caret by so many bytes. */
    move: (by: bigint) => {
      const {hex} = store.state.memory;
      if (hex) place(hex.caret + by, false);
    },
    search: (query: string, wide: boolean, from = '0x0') => {
      const dump = currentDump(store.state);
      const hex = dump && pattern(query, wide, dump.report.system_info.big_endian);
      if (!dump || hex === null) return;
      const put = (found: Loadable<Found>): void =>
        store.change('memory', ({hex: now}) =>
          now?.dump === dump.id && now.query === query && now.wide === wide ? {hex: {...now, found}} : {},
        );
      store.update(state => {
        const now = state.memory.hex?.dump === dump.id ? state.memory.hex : placed(state, dump, 0n, true);
        return {memory: {...state.memory, hex: {...now, query, wide, found: {state: 'waiting'}}}};
      });
      settle(
        engine.then(e => e.result({op: 'find', dump: dump.id, pattern: hex, from})),
        put,
      );
    },
  };
}

export type Bytes = ReturnType<typeof createBytes>;

// The position of the view for a caret: unchanged if the byte is in view, otherwise with a few rows above it.
function placed(state: State, dump: OpenDump, to: bigint, far: boolean, came?: readonly bigint[]): Hex {
  const last = lastAddress(dump.report.system_info.pointer_width);
  const caret = to < 0n ? 0n : to > last ? last : to;
  const row = BigInt(perRow(state));
  const line = caret - (caret % row);
  const old = state.memory.hex?.dump === dump.id ? state.memory.hex : null;
  const rest = {
    dump: dump.id,
    caret,
    query: old?.query ?? '',
    wide: old?.wide ?? false,
    found: old?.found ?? null,
    came: came ?? old?.came ?? [],
  };
  const above = (rows: bigint): bigint => (line > rows * row ? line - rows * row : 0n);
  if (!old || far) return {...rest, top: above(4n)};
  const end = old.top + row * BigInt(hexRows);
  if (line < old.top) return {...rest, top: line};
  return {...rest, top: line >= end ? above(BigInt(hexRows - 1)) : old.top};
}

/** Requests the pages in view that were not requested before. */
export function requestPages(store: Store, engine: Promise<Engine>): void {
  const {hex} = store.state.memory;
  const dump = currentDump(store.state);
  if (!hex || !dump || hex.dump !== dump.id) return;
  const ranges = store.state.memory.captured.get(dump.id);
  if (!ranges) requestCaptured(store, engine, dump.id);
  if (ranges?.state !== 'done') return;
  const last = lastAddress(dump.report.system_info.pointer_width);
  const end = hex.top + BigInt(perRow(store.state) * hexRows);
  for (let page = pageOf(hex.top); page < end && page <= last; page += BigInt(pageSize)) {
    if (!store.state.memory.pages.has(pageKey(dump, page))) requestPage(store, engine, dump, page, ranges.value);
  }
}

function requestCaptured(store: Store, engine: Promise<Engine>, dump: number): void {
  const put = (ranges: Loadable<readonly CapturedRange[]>): void =>
    store.change('memory', ({captured}) => ({captured: withEntry(captured, dump, ranges)}));
  load(
    engine.then(e => e.result({op: 'captured', dump})),
    ranges => (ranges.state === 'done' ? keepFocus(store, () => put(ranges)) : put(ranges)),
  );
}

// If no byte in view was captured, a text replaces the rows and takes the focus.
function keepFocus(store: Store, change: () => void): void {
  const hadFocus = document.activeElement?.id === 'hex';
  change();
  if (hadFocus) void store.drawn().then(() => document.getElementById('hex')?.focus({preventScroll: true}));
}

function requestPage(
  store: Store,
  engine: Promise<Engine>,
  dump: OpenDump,
  at: bigint,
  ranges: readonly CapturedRange[],
): void {
  load(
    engine.then(e => readPage(e, dump.id, at, ranges)),
    page => store.change('memory', ({pages}) => ({pages: withEntry(pages, pageKey(dump, at), page, mostPages)})),
  );
}

async function readPage(e: Engine, dump: number, at: bigint, ranges: readonly CapturedRange[]): Promise<Page> {
  const page = new Int16Array(pageSize).fill(-1);
  for (const {from, size} of captured(ranges, at)) {
    const bytes = await e.bytes({op: 'memory', dump, address: hex(from), size});
    if (bytes) page.set(bytes, Number(from - at));
  }
  return page;
}
