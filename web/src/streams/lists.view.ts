// Lists that need nothing but their columns: annotations, handles, streams, notes.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import {size} from '../text/format.ts';
import {hex} from '../text/hex.ts';
import {counted, thin, visible, visibleRow} from '../text/text.ts';
import {type Column, list, region} from '../widgets/region.view.ts';
import {overlay} from './overlay.view.ts';

type Seen = Pick<State, 'layout' | 'lists' | 'streams'>;

type Maybe = TemplateResult | typeof nothing;

/** A list as a region of the page; nothing if it is empty. */
const regionOf = <T>(
  state: Pick<State, 'lists'>,
  {id}: OpenDump,
  title: string,
  words: (count: number) => string,
  columns: readonly Column[],
  all: readonly T[] | null | undefined,
  cells: (row: T) => readonly unknown[],
  act: Actions,
  below: unknown = nothing,
): Maybe => {
  if (!all || all.length === 0) return nothing;
  const name = title.toLowerCase();
  const content = html`${list(state, `${id}.${name}`, title, columns, all, cells, act)} ${below}`;
  return region(name, title, words(all.length), content);
};

export const annotations = (state: Pick<State, 'lists'>, dump: OpenDump, act: Actions): Maybe =>
  regionOf(
    state,
    dump,
    'Annotations',
    n => `${counted(n, 'value')} that the program or its crash reporter attached`,
    [['Name', 'mono'], ['Value', 'wide'], ['Module'], ['Stream']],
    dump.report.annotations,
    a => [visibleRow(a.name), visible(a.value), visibleRow(a.module ?? ''), visibleRow(a.source)],
    act,
  );

export const handles = (state: Pick<State, 'lists'>, dump: OpenDump, act: Actions): Maybe =>
  regionOf(
    state,
    dump,
    'Handles',
    n => `${thin(n)} open`,
    [['Handle', 'mono'], ['Type'], ['Object', 'wide']],
    dump.report.handles,
    h => [h.handle.toString(16), visibleRow(h.type_name ?? ''), visibleRow(h.object_name ?? '')],
    act,
  );

export const streams = (state: Seen, dump: OpenDump, act: Actions): Maybe =>
  regionOf(
    state,
    dump,
    'Streams',
    n => `${thin(n)} in the directory`,
    [['Stream'], ['Type', 'mono'], ['Offset', 'mono'], ['Size', 'end'], ['State', 'wide']],
    dump.report.streams,
    s => [
      html`<button class="link tap keep" title="Show its bytes and fields" @click=${() => act.streams.show(s)}>${s.name === '' ? 'unknown' : visibleRow(s.name)}</button>`,
      hex(s.type),
      hex(s.offset),
      size(s.size),
      s.error === null ? '' : html`<span class="doubt">✕ ${visible(s.error)}</span>`,
    ],
    act,
    overlay(state, dump, act),
  );

// An offset in the file that leads to the bytes there.
const fileLink = (offset: number, act: Actions): TemplateResult =>
  html`<button class="to-bytes" title="Show the bytes of the file there" @click=${() => act.streams.showAt(offset)}>${hex(offset)}</button>`;

export const notes = (state: Pick<State, 'lists'>, dump: OpenDump, act: Actions): Maybe =>
  regionOf(
    state,
    dump,
    'Notes',
    () => 'what was damaged or odd',
    [['Where'], ['What', 'wide'], ['Offset', 'mono']],
    dump.report.notes,
    n => [
      visibleRow(n.where),
      html`${visible(n.text)}${n.count > 1 ? html` <span class="quiet">${thin(n.count)} times</span>` : nothing}`,
      n.offset === null || (dump.report.streams ?? []).length === 0 ? '' : fileLink(n.offset, act),
    ],
    act,
  );
