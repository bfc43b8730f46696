// A stack: frames hanging on a line that is solid where the walk was proved and dashed where it was guessed.
import './stack.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {rowCounts, shownRows} from '../app/rows.ts';
import {isSelected} from '../app/select.ts';
import {mainThread, type OpenDump, openKey, type State} from '../app/state.ts';
import {argumentsKey} from '../app/variables.ts';
import type {Thread} from '../report.ts';
import {symbolsLink} from '../symbols/symbols.view.ts';
import {brief} from '../text/hex.ts';
import {bare} from '../text/names.ts';
import {hasSpellings} from '../text/spelling.ts';
import {capital, counted, visible, visibleRow} from '../text/text.ts';
import {argumentsText, hasVariables, ofRow} from '../variables/variables.ts';
import {popover, popoverButton} from '../widgets/popover.view.ts';
import {inRow, nameInRow, placeInRow, sentenceWithCode} from '../widgets/text.view.ts';
import {doubt, type FrameRow, frameRows, functionName, isOwn, noPlace, placeText, scanned} from './frames.ts';
import {type BandRow, type EndRow, endWords, type FoldRow, type Row, rowKey, selectable} from './stack.ts';

type Seen = Pick<State, 'place' | 'opened' | 'layout' | 'stack'>;

/** The thread that the page is about. */
export const mainStack = (state: Seen, dump: OpenDump, act: Actions): TemplateResult => {
  const index = mainThread(dump.report) ?? -1;
  const thread = dump.report.threads?.[index];
  if (!thread) return html``;
  const words = thread.crashed && dump.report.verdict.crashed ? 'crashed' : '';
  return html`
    <section class="stack-region" aria-labelledby="stack-title">
      <div class="region-head">
        <h2 id="stack-title">Thread ${thread.thread_id} ${words}</h2>
        <span class="quiet" title=${stackWords(thread)}>${stackWords(thread)}</span>
        <span class="end">
          ${symbolsLink(state, dump, act)} ${viewMenu(viewItems(state, dump, thread, act))}
        </span>
      </div>
      ${stack(state, dump, index, act)}
    </section>
  `;
};

/** A part of stacks that the user can show or hide. */
interface ViewItem {
  readonly words: string;
  readonly key: string;
  readonly on: boolean;
  readonly flip: () => void;
}

function viewItems({stack, layout}: Seen, dump: OpenDump, thread: Thread, act: Actions): ViewItem[] {
  const frames = thread.frames ?? [];
  const part = (what: 'inlined' | 'system' | 'guesses' | 'arguments', words: string, key: string): ViewItem => ({
    words,
    key,
    on: stack[what],
    flip: () => act.flip(what),
  });
  const hasArguments = layout.width !== 'narrow' && frames.some(frame => hasVariables(dump.report, frame));
  return [
    rowCounts(thread).inlined > 0 && part('inlined', 'Inlined calls', 'i'),
    frames.some(frame => frame.is_system) && part('system', 'System frames', 'f'),
    frames.some(scanned) && part('guesses', 'Guesses', 'h'),
    hasArguments && part('arguments', 'Arguments', 'a'),
    hasSpellings(dump.report) && {words: 'Raw names', key: 'r', on: stack.rawNames, flip: act.spellings},
  ].filter(item => item !== false);
}

const viewMenu = (items: readonly ViewItem[]): TemplateResult | typeof nothing =>
  items.length === 0
    ? nothing
    : html`${popoverButton('view', 'button plain', html`View`)}
      ${popover(
        'view',
        html`<ul class="menu" aria-label="Show in stacks">
          ${items.map(
            ({words, key, on, flip}) =>
              html`<li><button class="link tap" aria-keyshortcuts=${key} aria-pressed=${on} @click=${flip}><span class="tick" aria-hidden="true">${on ? '✓' : ''}</span>${words}</button> <kbd aria-hidden="true">${key}</kbd></li>`,
          )}
        </ul>`,
      )}`;

function stackWords(thread: Thread): string {
  const {rows, inlined, guesses} = rowCounts(thread);
  const name = thread.thread_name ? `, ${visibleRow(thread.thread_name)}` : '';
  const parts = [
    guesses === 0 || rows - inlined > guesses ? counted(rows - inlined - guesses, 'frame') : '',
    guesses > 0 ? counted(guesses, 'guess', 'guesses') : '',
    inlined > 0 ? `${inlined} inlined` : '',
  ];
  return `${parts.filter(part => part !== '').join(', ')}${name}`;
}

/** The table of one thread's rows: the same for the crashing thread and for every other. */
export const stack = (state: Seen, dump: OpenDump, index: number, act: Actions): TemplateResult => {
  const rows = shownRows(state, dump, index);
  const thread = dump.report.threads?.[index];
  const selected =
    state.place?.thread === index ? selectable(rows).find(row => isSelected(state.place, row)) : undefined;
  // One row takes the tab stop: the selected one, or the first.
  const stop = selected ?? selectable(rows)[0];
  const sourced = thread !== undefined && frameRows(thread, false).some(row => placeText(row) !== null);
  return html`
    <table class=${sourced ? 'stack' : 'stack unsourced'} role="grid" aria-labelledby="caption-${index}">
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
        ${rows.map((row, i) => tableRow(row, {state, dump, index, act, stop, selected, sourced, before: rows[i - 1], after: rows[i + 1]}))}
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
  /** Some row has a source file: there is a column for it. */
  readonly sourced: boolean;
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
  const classes = [
    'frame',
    isOn ? 'selected' : '',
    row.frame.is_system ? 'system' : '',
    isOwn(row) ? 'own' : '',
    isSameFrame(row, selected) ? 'same-frame' : '',
  ];
  const select = ({currentTarget: at}: Event): void => {
    act.select.row(index, row, 'push');
    // The sheet of a phone covers what is below the row.
    if (at instanceof Element) void act.drawn().then(() => at.scrollIntoView({block: 'nearest'}));
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
  const tilde = words === null ? nothing : html`<span class="tilde" title=${capital(words)}>~</span>`;
  if (name !== null && args !== null) {
    return html`<span class="name">${tilde}${nameInRow(bare(name))}<span class="args cut" title=${args}>${args}</span></span>`;
  }
  if (name !== null) return html`<span class="name">${tilde}${nameInRow(name)}</span>`;
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
  return text === null ? html`<span class="quiet">${noPlace(row)}</span>` : placeInRow(text);
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
    row.found === 'inlined' ? 'inlined' : `found by ${row.found}`,
  ];
  return visibleRow(parts.filter(part => part !== null).join(', '));
}

const foldRow = (row: FoldRow, {dump, index, act, before, sourced}: Context): TemplateResult => html`
  <tr role="row" class="fold">
    <td role="gridcell" class="number"></td>
    <td class="node fold ${lines(row, before)}" aria-hidden="true">${row.rows[0]?.node === 'crash' ? html`<span class="crash"></span>` : nothing}</td>
    <td role="gridcell" colspan=${sourced ? 4 : 3} class="words">
      <button class="link tap keep" @click=${() => act.toggle(openKey(dump, index, row.key))}>${row.label}</button>
      <span class="quieter cut">${visible(row.detail)}</span>
    </td>
  </tr>
`;

const band = ({count}: BandRow, {sourced}: Context): TemplateResult => html`
  <tr role="row" class="band">
    <td role="gridcell" class="number"></td>
    <td class="node" aria-hidden="true">?</td>
    <td role="gridcell" colspan=${sourced ? 4 : 3} class="words">From here the stack is a guess: ${counted(count, 'word')} that ${count === 1 ? 'looks like a return address' : 'look like return addresses'}.</td>
  </tr>
`;

const endRow = ({end, guess}: EndRow, {sourced}: Context): TemplateResult => html`
  <tr role="row" class="end-row">
    <td role="gridcell" class="number"></td>
    <td class="node end ${guess || !end.complete ? 'dashed-above' : ''}" aria-hidden="true"></td>
    <td role="gridcell" colspan=${sourced ? 4 : 3} class=${end.complete ? 'words' : 'words doubtful'}>
      ${endWords(end, guess)}${end.reason === '' ? '.' : ': '}${sentenceWithCode(end.reason)}
    </td>
  </tr>
`;
