// The stack that the threads of one box have in common, and where they differ.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Thread} from '../report.ts';
import {type FrameRow, frameRows, isOwn} from '../stack/frames.ts';
import {mark, placeText, rowName} from '../stack/names.ts';
import {bare} from '../text/names.ts';
import {counted, visibleRow} from '../text/text.ts';
import {nameInRow} from '../widgets/text.view.ts';
import {nameRuns} from './names.ts';
import type {TreeBox} from './tree.ts';

// A stack overflow has thousands of calls.
const mostCalls = 40;
const mostPlaces = 3;

export const merged = (box: TreeBox, threads: readonly Thread[], open: () => void): TemplateResult => {
  const states = [...new Set(threads.flatMap(thread => thread.state ?? []))].slice(0, 3).join(', ');
  const calls = pathTo(box);
  const stacks = threads.map(thread => frameRows(thread, false).toReversed());
  const rows = calls.map((call, depth) => ({call, where: places(stacks, depth)})).toReversed();
  return html`<section class="merged" aria-labelledby="merged-title">
    <p class="box-strip">
      <b id="merged-title">${counted(threads.length, 'thread')} here</b>
      <span class="cut">${nameRuns(threads)}</span>
      <span class="quiet">${visibleRow(states)}</span>
      <button class="link tap" @click=${open}>Open this stack</button>
    </p>
    <ol>
      ${rows.slice(0, mostCalls).map(
        ({call, where}) => html`<li class=${isOwn(call) ? 'own' : 'quieter'}>
          <code class="cut">${mark(call)}${nameInRow(bare(rowName(call)))}</code>
          <code class="cut">${where.slice(0, mostPlaces).map(visibleRow).join(', ')}</code>
          <span class="quiet">${differences(where.length, threads.length)}</span>
        </li>`,
      )}
    </ol>
    ${rows.length > mostCalls ? html`<p class="quiet">${counted(rows.length - mostCalls, 'more call')}</p>` : nothing}
  </section>`;
};

const differences = (places: number, threads: number): string =>
  threads < 2 ? '' : places > 1 ? `differs: ${counted(places, 'line')}` : `the same in all ${threads}`;

// All calls from the outermost one to those of the box.
function pathTo(box: TreeBox): readonly FrameRow[] {
  const all: FrameRow[] = [];
  for (let at: TreeBox | null = box; at; at = at.from) all.unshift(...at.calls);
  return all;
}

const places = (stacks: readonly (readonly FrameRow[])[], depth: number): readonly string[] => [
  ...new Set(
    stacks.flatMap(rows => {
      const row = rows[depth];
      return (row && placeText(row)) ?? [];
    }),
  ),
];
