// Memory: the regions of the address space, and which of them are in the dump.
import {html, nothing, type TemplateResult} from 'lit-html';
import {guard} from 'lit-html/directives/guard.js';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import type {Region, Report} from '../report.ts';
import {size} from '../text/format.ts';
import {digits, format, parse} from '../text/hex.ts';
import {counted, visibleRow} from '../text/text.ts';
import {type Column, more, region, rowsShown, table} from '../widgets/region.view.ts';
import {bytes, bytesLink} from './hex.view.ts';
import {map} from './map.view.ts';

type Seen = Pick<State, 'dumps' | 'place' | 'layout' | 'lists' | 'memory'>;

const columns: readonly Column[] = [
  ...([
    ['From', 'mono'],
    ['To', 'mono'],
    ['Size', 'end'],
    ['Access', 'mono'],
  ] as const),
  ...([['What'], ['File', 'wide'], ['In the dump']] as const),
];

export const memory = (state: Seen, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const {report} = dump;
  const regions = report.memory_regions ?? [];
  if (regions.length === 0 && report.dump.memory === 0) return nothing;
  const count = regions.length === 0 ? '' : `${counted(regions.length, 'region')}, `;
  const listed = regions.length === 0 ? nothing : list(state, dump, act);
  const content = html`${map(state, dump, act)} ${listed} ${bytes(state, dump, act)}`;
  return region('memory', 'Memory', `${count}${size(report.dump.memory)} in this dump`, content);
};

const list = (state: Seen, {id, report}: OpenDump, act: Actions): TemplateResult => {
  const regions = report.memory_regions ?? [];
  const key = `${id}.regions`;
  const shown = rowsShown(state, key, regions).length;
  return html`<details class="region-list">
    <summary>Regions as a list</summary>
    ${guard([report, shown], () => rowsTable(regions.slice(0, shown), report, act))}
    ${more(state, key, regions.length, act)}
  </details>`;
};

const rowsTable = (regions: readonly Region[], report: Report, act: Actions): TemplateResult =>
  table(
    'Memory regions',
    columns,
    regions.map(r => cells(r, report, act)),
  );

const cells = (r: Region, report: Report, act: Actions): unknown[] => {
  const base = parse(r.base) ?? 0n;
  const bytes = parse(r.size) ?? 0n;
  return [
    bytesLink(r.base, digits(r.base), act),
    digits(format(base + bytes, report.system_info.pointer_width)),
    size(Number(bytes)),
    visibleRow(r.protection),
    [r.state === 'committed' ? '' : r.state, r.kind]
      .filter(w => w !== '')
      .map(visibleRow)
      .join(' '),
    visibleRow(r.name),
    r.captured ? 'yes' : html`<span class="quiet">no</span>`,
  ];
};
