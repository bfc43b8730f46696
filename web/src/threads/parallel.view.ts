// Parallel stacks: all threads as one tree, callers on the left. A box is what its threads have in common.
import './parallel.css';
import {html, nothing, svg, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump} from '../app/state.ts';
import type {Report} from '../report.ts';
import {memo} from '../text/memo.ts';
import {counted, visible} from '../text/text.ts';
import {parallel} from './parallel.ts';
import {boxWidth, lineHeight, type TreeBox, tree} from './tree.ts';

const treeOf = memo((report: Report) => tree(parallel(report.threads ?? [])));

export const parallelStacks = (dump: OpenDump, act: Actions): TemplateResult => {
  const {boxes, width, height} = treeOf(dump.report);
  return html`
    <div class="scroll-x parallel" tabindex="0" role="group" aria-label="Parallel stacks, callers on the left">
      <svg width=${width} height=${height}>
        ${boxes.map(box => (box.from === null ? nothing : line(box.from, box)))}
        ${boxes.map(box => shape(box, dump, act))}
      </svg>
    </div>
  `;
};

const line = (from: TreeBox, to: TreeBox): TemplateResult => {
  const [x, middle] = [from.x + boxWidth, (from.x + boxWidth + to.x) / 2];
  return svg`<path class="link-line" d=${`M${x} ${from.y + 15} H${middle} V${to.y + 15} H${to.x}`}></path>`;
};

const shape = (box: TreeBox, {report}: OpenDump, act: Actions): TemplateResult => {
  const crashed = report.verdict.crashed && box.threads.some(t => report.threads?.[t]?.crashed);
  const go = (): void => {
    const thread = box.threads[0];
    if (box.leaf && thread !== undefined) act.select.row(thread, box.leaf, 'push');
  };
  const words = `${counted(box.threads.length, 'thread')}${crashed ? ', crashed' : ''}`;
  const lines = box.more > 0 ? [`${counted(box.more, 'call')} more`, ...box.lines] : box.lines;
  return svg`
    <g
      class=${crashed ? 'crashed' : ''}
      tabindex="0"
      role="button"
      @click=${go}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        go();
      }}
    >
      <rect x=${box.x} y=${box.y} width=${boxWidth} height=${box.height} rx="3"></rect>
      <text class="count" x=${box.x + 8} y=${box.y + 18}>${crashed ? svg`<tspan aria-hidden="true">◆ </tspan>` : nothing}${words} </text>
      ${lines.map((name, i) => svg`<text class="call" x=${box.x + 8} y=${box.y + 18 + lineHeight * (i + 1)}>${visible(name)} </text>`)}
    </g>
  `;
};
