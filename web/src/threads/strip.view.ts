// All threads as a strip of bars. The list below it has the same in words.
import './strip.css';
import {html, svg, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {mainThread, type OpenDump, type State} from '../app/state.ts';
import {firstRow} from '../stack/stack.ts';
import {counted, visibleRow} from '../text/text.ts';
import {onPress, roving} from '../widgets/focus.ts';
import {type Bar, bars, type Doing} from './strip.ts';

const words: Readonly<Record<Doing, string>> = {
  crash: 'crashed or in the cycle',
  lock: 'waits for a lock',
  io: 'input, output',
  runs: 'runs',
  idle: 'waits, idle',
};

const margins = 180;

export const strip = ({layout}: Pick<State, 'layout'>, dump: OpenDump, act: Actions): TemplateResult => {
  const all = bars(dump.report, layout.across / (layout.width === 'wide' ? 2 : 1) - margins);
  const last = all.at(-1);
  const across = last ? last.x + last.width : 0;
  const high = Math.max(...all.map(({proved, guessed}) => proved + guessed), 1);
  return html`<div class="strip">
    <svg height=${high} width=${across} viewBox="0 0 ${across} ${high}" preserveAspectRatio="none" role="group" aria-label="Frames of ${counted(all.length, 'thread')}"
      @keydown=${(event: KeyboardEvent) => roving(event, 'g')}>
      ${all.map(bar => shape(bar, high, dump, act))}
    </svg>
    ${colours(all)}
  </div>`;
};

/** What the colours of a dump's threads mean. */
export const legend = ({report}: OpenDump): TemplateResult =>
  html`<div class="strip">${colours(bars(report, 0))}</div>`;

const colours = (all: readonly Bar[]): TemplateResult => {
  const kinds = (Object.keys(words) as Doing[]).filter(kind => all.some(bar => bar.doing === kind));
  return html`<ul aria-label="What the colours mean">
    ${kinds.map(kind => html`<li class=${kind}>${words[kind]}</li>`)}
    ${all.some(bar => bar.guessed > 0) ? html`<li class="guessed">a guess</li>` : ''}
  </ul>`;
};

const shape = (
  {thread: index, doing, x, width, proved, guessed}: Bar,
  high: number,
  dump: OpenDump,
  act: Actions,
): TemplateResult => {
  const thread = dump.report.threads?.[index];
  const isMain = index === mainThread(dump.report);
  const open = (): void => {
    const row = thread && firstRow(thread, isMain ? dump.report.verdict.row : null);
    if (row) act.showThread(index, row);
  };
  const label = `${thread?.thread_name ? visibleRow(thread.thread_name) : `Thread ${thread?.thread_id}`}, ${counted(thread?.frames?.length ?? 0, 'frame')}, ${words[doing]}`;
  return svg`<g role="button" class=${doing} tabindex=${isMain ? 0 : -1} aria-label=${label}
    @click=${open}
    @keydown=${onPress(open)}>
    <title>${label}</title>
    <rect class="reach" x=${x} y="0" width=${width} height=${high}></rect>
    <rect x=${x} y=${high - proved} width=${width} height=${proved}></rect>
    ${guessed === 0 ? '' : svg`<rect class="guessed" x=${x + 0.5} y=${high - proved - guessed + 0.5} width=${width - 1} height=${guessed}></rect>`}
  </g>`;
};
