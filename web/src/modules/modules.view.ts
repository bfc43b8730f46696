// Modules: address, build, state of the symbols, and the stacks of each.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {mainThread, type OpenDump, type State} from '../app/state.ts';
import {lost, streamType} from '../crash/damage.ts';
import type {Report, Unloaded} from '../report.ts';
import {symbolFiles, symsButton} from '../symbols/syms.view.ts';
import {size} from '../text/format.ts';
import {digits} from '../text/hex.ts';
import {memo} from '../text/maps.ts';
import {tilde} from '../text/names.ts';
import {counted, thin, visible, visibleRow} from '../text/text.ts';
import {searchField} from '../widgets/field.view.ts';
import {type Column, list, region} from '../widgets/region.view.ts';
import {sentenceWithCode} from '../widgets/text.view.ts';
import {type ModuleRow, matching, moduleRows, versionOf} from './modules.ts';

type Seen = Pick<State, 'lists' | 'symbols'>;

const rowsOf = memo(moduleRows);

const columns: readonly Column[] = [
  ...([
    ['Module', 'wide'],
    ['From', 'mono'],
    ['To', 'mono spare'],
    ['Size', 'end'],
    ['Version', 'spare'],
  ] as const),
  ...([['Debug ID', 'mono'], ['Symbols'], ['Crashing stack'], ['Stacks']] as const),
];

export const modules = (state: Seen, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const {report} = dump;
  const rows = rowsOf(report, mainThread(report));
  const unloadedModules = report.unloaded_modules ?? [];
  if (rows.length === 0 && unloadedModules.length === 0) return unread(report);
  const key = `${dump.id}.modules`;
  const filter = state.lists.filters.get(key) ?? '';
  const found = matching(rows, filter);
  const words = `${thin(rows.length)} loaded, ${unloadedModules.length === 0 ? 'none' : thin(unloadedModules.length)} unloaded`;
  return region(
    'modules',
    'Modules',
    words,
    html`${rows.length < filterFrom ? nothing : filterField(key, filter, found.length, act)}
    ${list(state, key, 'Modules', columns, found, row => cells(row, state, dump, act), act)}
    ${unloadedModules.length === 0 ? nothing : unloaded(state, dump, unloadedModules, act)}`,
  );
};

// Without the module list nothing has a name, so a sentence explains it.
function unread(report: Report): TemplateResult | typeof nothing {
  const why = lost(report, streamType.modules);
  if (why === null) return nothing;
  return region(
    'modules',
    'Modules',
    'cannot be read',
    html`<p class="region-body quieter">${sentenceWithCode(why)} Without the list of modules frames have addresses only, and no symbols belong to them.</p>`,
  );
}

// From so many modules on, a filter is shown.
const filterFrom = 30;

const filterField = (key: string, filter: string, found: number, act: Actions): TemplateResult => html`
  <p class="region-body list-filter">
    ${searchField(null, 'Filter modules by name, version or id', 'Filter', filter, text => act.filterList(key, text))}
    <span class="quiet" role="status">${filter === '' ? '' : `${counted(found, 'module')} shown`}</span>
  </p>
`;

const cells = (row: ModuleRow, page: Seen, dump: OpenDump, act: Actions): unknown[] => {
  const {module, size: bytes, state, crashing, stacks} = row;
  return [
    html`<span title=${visibleRow(module.path)}>${visibleRow(module.filename)}</span>${
      module.overlap === null ? nothing : html`<br /><span class="doubt">${tilde}${visible(module.overlap)}</span>`
    }`,
    digits(module.base_addr),
    digits(module.end_addr),
    size(bytes),
    visibleRow(versionOf(module)),
    visibleRow(module.debug_id),
    html`<span class=${state.mark}><span aria-hidden="true">${state.glyph}</span> ${state.words.toLowerCase()}</span> ${symsButton(page, dump, row.index, act)}${symbolFiles(row.module)}`,
    crashing,
    stacks === 0 ? '' : `${stacks} of ${dump.report.threads?.length ?? 0}`,
  ];
};

const unloaded = (
  state: Seen,
  dump: OpenDump,
  unloadedModules: readonly Unloaded[],
  act: Actions,
): TemplateResult => html`
  <details class="region-body">
    <summary>${counted(unloadedModules.length, 'unloaded module')}</summary>
    ${list(
      state,
      `${dump.id}.unloaded`,
      'Unloaded modules',
      [
        ['Module', 'wide'],
        ['From', 'mono'],
        ['To', 'mono'],
        ['Code ID', 'mono'],
      ],
      unloadedModules,
      m => [visibleRow(m.filename), digits(m.base_addr), digits(m.end_addr), visibleRow(m.code_id)],
      act,
    )}
  </details>
`;
