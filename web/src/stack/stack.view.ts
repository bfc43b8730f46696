// A stack: frames hanging on a line that is solid where the walk was proved and dashed where it was guessed.
import './stack.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {shownRows} from '../app/rows.ts';
import {isSelected} from '../app/select.ts';
import {mainThread, type OpenDump, openKey, type State} from '../app/state.ts';
import {argumentsKey} from '../app/variables.ts';
import type {Thread} from '../report.ts';
import {brief} from '../text/hex.ts';
import {bare} from '../text/names.ts';
import {counted, visible, visibleRow} from '../text/text.ts';
import {argumentsText, ofRow} from '../variables/variables.ts';
import {doubtful, inRow, nameInRow, placeInRow, sentenceWithCode} from '../widgets/text.view.ts';
import {type FrameRow, frameRows, isOwn} from './frames.ts';
import {doubt, functionName, noPlace, placeText, tag} from './names.ts';
import {isPointed} from './scale.ts';
import {type BandRow, type EndRow, endWords, type FoldRow, type Row, rowKey, selectable} from './stack.ts';

type Seen = Pick<State, 'place' | 'opened' | 'layout' | 'stack'> & Partial<Pick<State, 'pointed'>>;

/** The table of one thread's rows: the same for the crashing thread and for every other. */
export const stack = (state: Seen, dump: OpenDump, index: number, act: Actions): TemplateResult => {
  const rows = shownRows(state, dump, index);
  const thread = dump.report.threads?.[index];
  const selected =
    state.place?.thread === index ? selectable(rows).find(row => isSelected(state.place, row)) : undefined;
  // One row takes the tab stop: the selected one, or the first.
  const stop = selected ?? selectable(rows)[0];
  const all = thread ? frameRows(thread, false) : [];
  const sourced = all.some(row => placeText(row) !== null);
  // A source tells more than the module, and how a row was found matters where that is no proof.
  const proved = sourced && all.every(row => !row.guess && row.inline === null);
  const strip = index === mainThread(dump.report) && state.layout.width === 'wide';
  const context = {state, dump, index, act, stop, selected, strip, sourced, across: proved ? 2 : 3};
  return html`
    <table class="stack ${sourced ? 'sourced' : ''} ${proved ? 'proved' : ''}" role="grid" aria-labelledby="caption-${index}">
      <caption class="visually-hidden" id="caption-${index}">Call stack of thread ${thread?.thread_id}, innermost first</caption>
      <colgroup>
        <col class="number" />
        <col class="node" />
        <col />
        ${sourced ? html`<col class="source" />` : nothing}
        <col class="module" />
        <col class="found" />
      </colgroup>
      <thead>
        <tr role="row">
          <th role="columnheader" class="number"><span class="visually-hidden">Number</span></th>
          <td class="node" aria-hidden="true"></td>
          <th role="columnheader" class="function">Function</th>
          ${sourced ? html`<th role="columnheader" class="source">Source</th>` : nothing}
          <th role="columnheader" class="module">Module</th>
          <th role="columnheader" class="found">Found by</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row, i) => tableRow(row, {...context, before: rows[i - 1], after: rows[i + 1]}))}
      </tbody>
    </table>
    ${returned(thread)}
  `;
};

// Calls that have returned: a shadow stack still has them.
function returned(thread: Thread | undefined): TemplateResult | typeof nothing {
  const calls = thread?.returned ?? [];
  if (calls.length === 0) return nothing;
  return html`<details class="returned">
    <summary>${counted(calls.length, 'call')} returned before</summary>
    <p class="quieter">The shadow stack still has these calls, the newest first. They are no frames of this stack.</p>
    <ol>
      ${frameRows({frames: calls}, false).map(row => html`<li>${nameCell(row, null)} <span class="quieter cut">${placeText(row) ?? row.frame.module}</span></li>`)}
    </ol>
  </details>`;
}

interface Context {
  readonly state: Seen;
  readonly dump: OpenDump;
  readonly index: number;
  readonly act: Actions;
  readonly stop: FrameRow | undefined;
  readonly selected: FrameRow | undefined;
  /** The strip beside it shows its frames to scale. */
  readonly strip: boolean;
  /** Some row has a source file: there is a column for it. */
  readonly sourced: boolean;
  /** The number of columns from the function's on. */
  readonly across: number;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

function tableRow(row: Row, context: Context): TemplateResult {
  switch (row.kind) {
    case 'frame':
      return frameRow(row, context);
    case 'fold':
      return foldRow(row, context);
    case 'band':
      return band(row, context);
    case 'end':
      return endRow(row, context);
  }
}

const frameRow = (row: FrameRow, context: Context): TemplateResult => {
  const {index, act, stop, selected, before} = context;
  const isOn = selected === row;
  const at = row.frame.frame;
  const classes = [
    'frame',
    isOn ? 'selected' : '',
    row.frame.is_system ? 'system' : '',
    isOwn(row) ? 'own' : '',
    isSameFrame(row, selected) ? 'same-frame' : '',
    isPointed(context.state.pointed, index, {first: at, last: at}) ? 'pointed' : '',
  ];
  const point = (is: boolean): void => {
    if (context.strip) act.point(is ? {thread: index, first: at, last: at} : null);
  };
  const select = ({currentTarget: element}: Event): void => {
    act.select.row(index, row, 'push');
    // The sheet of a phone covers what is below the row.
    if (element instanceof Element) void act.drawn().then(() => element.scrollIntoView({block: 'nearest'}));
  };
  return html`
    <tr
      role="row"
      class=${classes.filter(c => c).join(' ')}
      id="row-${index}-${rowKey(row)}"
      tabindex=${row === stop ? 0 : -1}
      aria-selected=${isOn}
      aria-label=${rowLabel(row)}
      @click=${select}
      @pointerenter=${() => point(true)}
      @pointerleave=${() => point(false)}
      @focus=${(event: FocusEvent) => focused(event, isOn, () => act.select.row(index, row, 'replace'))}
    >
      <td role="gridcell" class="number">${row.number}</td>
      <td class="node ${lines(row, before)}" aria-hidden="true"><span class=${row.node}></span></td>
      <th role="rowheader" scope="row" class="function">${nameCell(row, argumentsOf(row, context))}</th>
      ${context.sourced ? html`<td role="gridcell" class="source">${placeCell(row)}</td>` : nothing}
      <td role="gridcell" class="module">${inRow(row.frame.module ?? '')}</td>
      <td role="gridcell" class=${row.found.endsWith('scan') ? 'found doubtful' : 'found'}>${visibleRow(row.found)}</td>
    </tr>
  `;
};

// A row that is reached with Tab is selected; a click selects by itself, and is a step that Back undoes.
function focused(event: FocusEvent, isOn: boolean, select: () => void): void {
  const byKey = event.currentTarget instanceof Element && event.currentTarget.matches(':focus-visible');
  if (byKey && !isOn) select();
}

const isSameFrame = (row: FrameRow, selected: FrameRow | undefined): boolean =>
  selected !== undefined && row !== selected && row.frame === selected.frame;

// The line from the row above and the line to the row below, each solid or dashed.
function lines(row: FrameRow | FoldRow, before: Row | undefined): string {
  const above = before === undefined ? 'first' : row.guess ? 'dashed-above' : '';
  return `${above} ${row.guess ? 'dashed-below' : ''}`;
}

// Arguments that are known, where there is room for them; those of a guess never are.
function argumentsOf(row: FrameRow, {state, dump, index}: Context): string | null {
  if (!state.stack.arguments || state.layout.width === 'narrow') return null;
  const known = state.stack.rowArguments.get(argumentsKey(dump.id, index))?.frames.get(row.frame.frame);
  return known ? argumentsText(ofRow(known, row)) : null;
}

const nameCell = (row: FrameRow, args: string | null): TemplateResult => {
  const name = functionName(row);
  const words = doubt(row);
  const tilde = doubtful(words);
  const language = tag(row) && html`<span class="quieter">${tag(row)}&nbsp;</span>`;
  if (name !== null && args !== null) {
    return html`<span class="name">${tilde}${language}${nameInRow(bare(name))}<span class="args cut" title=${args}>${args}</span></span>`;
  }
  if (name !== null) return html`<span class="name">${tilde}${language}${nameInRow(name)}</span>`;
  return html`<span class="name unnamed">${tilde}${unnamed(row)}</span>`;
};

function unnamed({frame}: FrameRow): TemplateResult {
  const gone = frame.unloaded_modules?.[0];
  if (frame.module !== null && frame.module_offset !== null) {
    return html`<span class="cut"><span class="quieter">${visibleRow(frame.module)} +</span> ${brief(frame.module_offset)}</span>`;
  }
  if (gone)
    return html`<span class="cut"><span class="quieter">${visibleRow(gone.module)}, unloaded, +</span> ${brief(gone.offsets?.[0] ?? '0x0')}</span>`;
  return html`<span class="cut">${brief(frame.offset)}</span>`;
}

const placeCell = (row: FrameRow): TemplateResult => {
  const text = placeText(row);
  if (text !== null) return placeInRow(text);
  const {module} = row.frame;
  return html`<span class="quiet cut" title=${noPlace(row)}>${functionName(row) === null || module === null ? noPlace(row) : visibleRow(module)}</span>`;
};

// What a screen reader says of a row in one breath.
function rowLabel(row: FrameRow): string {
  const name = functionName(row);
  const parts = [
    `Frame ${row.number}`,
    name === null ? `${row.frame.module ?? 'no module'}, no name` : name,
    doubt(row),
    placeText(row),
    row.frame.module,
    row.found === 'inlined' || tag(row) ? row.found : `found by ${row.found}`,
  ];
  return visibleRow(parts.filter(part => part !== null).join(', '));
}

const foldRow = (row: FoldRow, {dump, index, act, before, across}: Context): TemplateResult => html`
  <tr role="row" class="fold">
    <td role="gridcell" class="number"></td>
    <td class="node fold ${lines(row, before)}" aria-hidden="true">${row.rows[0]?.node === 'crash' ? html`<span class="crash"></span>` : nothing}</td>
    <td role="gridcell" colspan=${across} class="words">
      <button class="link tap keep" @click=${() => act.toggle(openKey(dump, index, row.key))}>${row.label}</button>
      <span class="quieter cut">${visible(row.detail)}</span>
    </td>
  </tr>
`;

const band = ({count}: BandRow, {across}: Context): TemplateResult => html`
  <tr role="row" class="band">
    <td role="gridcell" class="number"></td>
    <td class="node" aria-hidden="true">?</td>
    <td role="gridcell" colspan=${across} class="words">From here the stack is a guess: ${counted(count, 'word')} that ${count === 1 ? 'looks like a return address' : 'look like return addresses'}.</td>
  </tr>
`;

const endRow = ({end, guess}: EndRow, {across}: Context): TemplateResult => html`
  <tr role="row" class="end-row">
    <td role="gridcell" class="number"></td>
    <td class="node end ${guess || !end.complete ? 'dashed-above' : ''}" aria-hidden="true"></td>
    <td role="gridcell" colspan=${across} class=${end.complete ? 'words' : 'words doubtful'}>
      ${endWords(end, guess)}${end.reason === '' ? '.' : ': '}${sentenceWithCode(end.reason)}
    </td>
  </tr>
`;
