// Lists that need nothing but their columns: annotations, handles, streams, notes.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import {size} from '../text/format.ts';
import {counted, thin, visible, visibleRow} from '../text/text.ts';
import {more, rowsShown} from '../widgets/more.view.ts';
import {region, table} from '../widgets/region.view.ts';
import {overlay} from './overlay.view.ts';

/** What these views read of the state. */
type Seen = Pick<State, 'layout' | 'lists' | 'streams'>;

type Maybe = TemplateResult | typeof nothing;

export const annotations = (state: Pick<State, 'lists'>, {id, report}: OpenDump, act: Actions): Maybe => {
  const key = `${id}.annotations`;
  const all = report.annotations ?? [];
  if (all.length === 0) return nothing;
  const rows = rowsShown(state, key, all).map(a => [
    visibleRow(a.name),
    visible(a.value),
    visibleRow(a.module ?? ''),
    visibleRow(a.source),
  ]);
  const columns = [
    {title: 'Name', classes: 'mono'},
    {title: 'Value', classes: 'wide'},
    {title: 'Module', classes: ''},
    {title: 'Stream', classes: ''},
  ];
  return region(
    'annotations',
    'Annotations',
    attached(all.length),
    html`${table('Annotations', columns, rows)} ${more(state, key, all.length, act)}`,
  );
};

const attached = (n: number): string => `${counted(n, 'value')} that the program or its crash reporter attached`;

export const handles = (state: Pick<State, 'lists'>, {id, report}: OpenDump, act: Actions): Maybe => {
  const key = `${id}.handles`;
  const all = report.handles ?? [];
  if (all.length === 0) return nothing;
  const rows = rowsShown(state, key, all).map(h => [
    h.handle.toString(16),
    visibleRow(h.type_name ?? ''),
    visibleRow(h.object_name ?? ''),
  ]);
  const columns = [
    {title: 'Handle', classes: 'mono'},
    {title: 'Type', classes: ''},
    {title: 'Object', classes: 'wide'},
  ];
  return region(
    'handles',
    'Handles',
    `${thin(all.length)} open`,
    html`${table('Handles', columns, rows)} ${more(state, key, all.length, act)}`,
  );
};

export const streams = (state: Seen, dump: OpenDump, act: Actions): Maybe => {
  const {id, report} = dump;
  const key = `${id}.streams`;
  const all = report.streams ?? [];
  if (all.length === 0) return nothing;
  const rows = rowsShown(state, key, all).map(s => [
    html`<button class="link tap keep" title="Show its bytes and fields" @click=${() => act.streams.show(s)}>${s.name === '' ? 'unknown' : visibleRow(s.name)}</button>`,
    `0x${s.type.toString(16)}`,
    `0x${s.offset.toString(16)}`,
    size(s.size),
    s.error === null ? '' : html`<span class="doubt">✕ ${visible(s.error)}</span>`,
  ]);
  const columns = [
    {title: 'Stream', classes: ''},
    {title: 'Type', classes: 'mono'},
    {title: 'Offset', classes: 'mono'},
    {title: 'Size', classes: 'end'},
    {title: 'State', classes: 'wide'},
  ];
  return region(
    'streams',
    'Streams',
    `${thin(all.length)} in the directory`,
    html`${table('Streams', columns, rows)} ${more(state, key, all.length, act)} ${overlay(state, dump, act)}`,
  );
};

// An offset in the file that leads to the bytes there.
const fileLink = (offset: number, act: Actions): TemplateResult =>
  html`<button class="to-bytes" title="Show the bytes of the file there" @click=${() => act.streams.showAt(offset)}>0x${offset.toString(16)}</button>`;

export const notes = (state: Pick<State, 'lists'>, {id, report}: OpenDump, act: Actions): Maybe => {
  const key = `${id}.notes`;
  const all = report.notes ?? [];
  if (all.length === 0) return nothing;
  const rows = rowsShown(state, key, all).map(n => [
    visibleRow(n.where),
    html`${visible(n.text)}${n.count > 1 ? html` <span class="quiet">${thin(n.count)} times</span>` : nothing}`,
    n.offset === null || (report.streams ?? []).length === 0 ? '' : fileLink(n.offset, act),
  ]);
  const columns = [
    {title: 'Where', classes: ''},
    {title: 'What', classes: 'wide'},
    {title: 'Offset', classes: 'mono'},
  ];
  return region(
    'notes',
    'Notes',
    'what was damaged or odd',
    html`${table('Notes', columns, rows)} ${more(state, key, all.length, act)}`,
  );
};
