// The view of a file's bytes: the stream, the byte, the field, and the pages that it needs.

import type {Engine, FieldsResult} from '../engine/types.ts';
import {fieldAt, filePage} from '../streams/fields.ts';
import {isText, mostText} from '../streams/report-text.ts';
import type {FileBytes, StreamPlace} from '../streams/state.ts';
import {withEntry} from '../text/maps.ts';
import {focusOn} from '../widgets/focus.ts';
import {mostPages, perRow} from './bytes.ts';
import {type Loadable, load, settle} from './loadable.ts';
import {currentDump, type OpenDump, type State} from './state.ts';
import type {Store} from './store.ts';

/** Rows in view. */
export const fileRowsShown = 16;

/** The key of a report's text among the pages, and of its list of lines. */
export const textKey = (dump: number): string => `${dump}.text`;

export const filePageKey = (dump: number, page: number): string => `${dump}.${page}`;

export function createStreams(store: Store, engine: Promise<Engine>) {
  const show = (dump: OpenDump, stream: StreamPlace, at: number): void => {
    const fields: Loadable<FieldsResult> =
      stream.type === null ? {state: 'done', value: {fields: [], cut: false}} : {state: 'waiting'};
    store.update(state => ({
      streams: {
        ...state.streams,
        file: inView(state, {dump: dump.id, stream, fields, at, field: -1, top: rowOf(state, at)}, at),
      },
    }));
    void store.drawn().then(() => focusOn(document.getElementById('file-bytes')));
    if (stream.type === null) return;
    const put = (answer: Loadable<FieldsResult>): void =>
      store.change('streams', ({file}) =>
        file?.stream === stream ? {file: {...file, fields: answer, field: fieldOf(answer, file.at)}} : {},
      );
    const {type, offset} = stream;
    settle(
      engine.then(e => e.result({op: 'fields', dump: dump.id, type, offset})),
      put,
    );
  };
  const change = (next: (file: FileBytes, state: State) => FileBytes): void =>
    store.update(state => {
      const {streams} = state;
      return streams.file ? {streams: {...streams, file: next(streams.file, state)}} : {};
    });
  return {
    /** Shows a stream's bytes with its fields, and moves the focus there. */
    show: (stream: StreamPlace) => {
      const dump = currentDump(store.state);
      if (dump) show(dump, stream, stream.offset);
    },
    /** Shows the bytes at an offset of the file, within the stream that contains them, if any. */
    showAt: (offset: number) => {
      const dump = currentDump(store.state);
      if (!dump) return;
      const of = dump.report.streams?.find(s => offset >= s.offset && offset < s.offset + s.size);
      show(dump, of ?? {type: null, offset, size: 0}, offset);
    },
    /** Moves to another byte. */
    move: (to: number) =>
      change((file, state) => {
        const last = Math.max(0, (currentDump(state)?.report.dump.size ?? 1) - 1);
        const at = Math.min(Math.max(0, to), last);
        return inView(state, {...file, at, field: fieldOf(file.fields, at)}, at);
      }),
    /** Selects a field. */
    select: (field: number) =>
      change((file, state) => {
        const chosen = file.fields.state === 'done' ? file.fields.value.fields[field] : undefined;
        return chosen ? inView(state, {...file, at: chosen.offset, field}, chosen.offset) : file;
      }),
    close: () => store.change('streams', {file: null}),
  };
}

export type Streams = ReturnType<typeof createStreams>;

const fieldOf = (answer: Loadable<FieldsResult>, at: number): number =>
  answer.state === 'done' ? fieldAt(answer.value.fields, at) : -1;

const rowOf = (state: State, at: number): number => at - (at % perRow(state));

// Scrolls until the byte is in view: by single rows if it is near, otherwise to two rows above it.
function inView(state: State, file: FileBytes, at: number): FileBytes {
  const step = perRow(state);
  const row = rowOf(state, at);
  const last = file.top + step * (fileRowsShown - 1);
  if (row >= file.top && row <= last) return file;
  const near = Math.abs(row - (row < file.top ? file.top : last)) <= step;
  const above = near && row > last ? fileRowsShown - 1 : near ? 0 : 2;
  return {...file, top: Math.max(0, row - above * step)};
}

/** Requests the pages that are in view, unless they were requested before. */
export function requestFilePages(store: Store, engine: Promise<Engine>): void {
  const {file} = store.state.streams;
  const dump = currentDump(store.state);
  if (dump && isText(dump.report) && !store.state.streams.pages.has(textKey(dump.id)))
    requestPage(store, engine, dump.id, textKey(dump.id), 0, mostText);
  if (!file || dump?.id !== file.dump) return;
  const end = Math.min(file.top + perRow(store.state) * fileRowsShown, dump.report.dump.size);
  for (let page = file.top - (file.top % filePage); page < end; page += filePage) {
    const key = filePageKey(dump.id, page);
    if (!store.state.streams.pages.has(key)) requestPage(store, engine, dump.id, key, page, filePage);
  }
}

function requestPage(
  store: Store,
  engine: Promise<Engine>,
  dump: number,
  key: string,
  offset: number,
  size: number,
): void {
  load(
    engine.then(e => e.bytes({op: 'file', dump, offset, size})).then(bytes => bytes ?? new Uint8Array(0)),
    bytes => store.change('streams', ({pages}) => ({pages: withEntry(pages, key, bytes, mostPages)})),
  );
}
