// Modules: where each lies, what build it is, whether its symbols are here, and which stacks it is on.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {mainThread, type OpenDump, type State} from '../app/state.ts';
import {size} from '../logic/format.ts';
import {digits} from '../logic/hex.ts';
import {memo} from '../logic/memo.ts';
import {type ModuleRow, moduleRows} from '../logic/modules.ts';
import {counted, thin, visible, visibleRow} from '../logic/text.ts';
import type {Report, Unloaded} from '../report.ts';
import {type Column, mostRows, region, showAll, table} from './region.ts';

const rowsOf = memo(moduleRows);

const columns: readonly Column[] = [
  {title: 'Module', classes: 'wide'},
  {title: 'From', classes: 'mono'},
  {title: 'To', classes: 'mono'},
  {title: 'Size', classes: 'end'},
  {title: 'Version', classes: ''},
  {title: 'Debug id', classes: 'mono'},
  {title: 'Symbols', classes: ''},
  {title: 'Crashing stack', classes: ''},
  {title: 'Stacks', classes: ''},
];

export const modules = (state: State, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const {report} = dump;
  const rows = rowsOf(report, mainThread(report));
  const gone = report.unloaded_modules ?? [];
  if (rows.length === 0 && gone.length === 0) return nothing;
  const key = `${dump.id}.all-modules`;
  const shown = state.opened.has(key) ? rows : rows.slice(0, mostRows);
  const words = `${thin(rows.length)} loaded, ${gone.length === 0 ? 'none' : thin(gone.length)} unloaded`;
  return region(
    'modules',
    'Modules',
    words,
    html`${table(
      'Modules',
      columns,
      shown.map(row => cells(row, report)),
    )}
    ${shown.length < rows.length ? showAll(rows.length, key, act) : nothing} ${gone.length === 0 ? nothing : unloaded(gone)}`,
  );
};

const cells = ({module, size: bytes, state, crashing, stacks}: ModuleRow, report: Report): unknown[] => [
  html`<span title=${visibleRow(module.path)}>${visibleRow(module.filename)}</span>${
    module.overlap === null ? nothing : html`<br /><span class="doubt">~ ${visible(module.overlap)}</span>`
  }`,
  digits(module.base_addr),
  digits(module.end_addr),
  size(bytes),
  module.version === null ? '' : visibleRow(module.version),
  visibleRow(module.debug_id),
  html`<span class=${state.mark}><span aria-hidden="true">${state.glyph}</span> ${state.words.toLowerCase()}</span>`,
  crashing,
  stacks === 0 ? '' : `${stacks} of ${report.threads?.length ?? 0}`,
];

const unloaded = (gone: readonly Unloaded[]): TemplateResult => html`
  <details class="region-body">
    <summary>${counted(gone.length, 'unloaded module')}</summary>
    ${table(
      'Unloaded modules',
      [
        {title: 'Module', classes: 'wide'},
        {title: 'From', classes: 'mono'},
        {title: 'To', classes: 'mono'},
        {title: 'Code id', classes: 'mono'},
      ],
      gone
        .slice(0, mostRows)
        .map(m => [visibleRow(m.filename), digits(m.base_addr), digits(m.end_addr), visibleRow(m.code_id)]),
    )}
  </details>
`;
