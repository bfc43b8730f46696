// The stack of the thread that the page is about, with what the View menu shows and hides in stacks.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {rowCounts} from '../app/rows.ts';
import {mainThread, type OpenDump, openKey, type State} from '../app/state.ts';
import {moreKey} from '../frame/source.ts';
import type {Thread} from '../report.ts';
import {symbolsLink} from '../symbols/symbols.view.ts';
import {hasSpellings} from '../text/spelling.ts';
import {counted, visibleRow} from '../text/text.ts';
import {hasVariables} from '../variables/variables.ts';
import {popover, popoverButton} from '../widgets/popover.view.ts';
import {runsCalls, scanned} from './frames.ts';
import {scale} from './scale.view.ts';
import {stack} from './stack.view.ts';

type Seen = Pick<State, 'place' | 'pointed' | 'opened' | 'layout' | 'stack' | 'variables'>;

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
      ${
        state.layout.width === 'wide'
          ? html`<div class="scaled"><div>${stack(state, dump, index, act)}</div>${scale(state, dump, index, act)}</div>`
          : stack(state, dump, index, act)
      }
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

function viewItems({stack, layout, opened}: Seen, dump: OpenDump, thread: Thread, act: Actions): ViewItem[] {
  const frames = thread.frames ?? [];
  const part = (what: 'inlined' | 'system' | 'guesses' | 'arguments', words: string, key: string): ViewItem => ({
    words,
    key,
    on: stack[what],
    flip: () => act.flip(what),
  });
  // Which threads have equal stacks is not needed here, and takes time for many.
  const others = (dump.report.threads ?? []).flatMap((other, index) =>
    other === thread ? [] : [openKey(dump, index, 'group')],
  );
  const hasArguments = layout.width !== 'narrow' && frames.some(frame => hasVariables(dump.report, frame));
  return [
    rowCounts(thread).inlined > 0 && part('inlined', 'Inlined calls', 'i'),
    frames.some(frame => frame.is_system || runsCalls(frame)) && part('system', 'System frames', 'f'),
    frames.some(scanned) && part('guesses', 'Guesses', 'h'),
    hasArguments && part('arguments', 'Arguments', 'a'),
    frames.some(frame => frame.file !== null) && {
      words: 'More lines of source',
      key: 'm',
      on: opened.has(moreKey),
      flip: () => act.toggle(moreKey),
    },
    others.length > 0 && {
      words: 'All threads open',
      key: 'x',
      on: others.some(key => opened.has(key)),
      flip: act.toggleAll,
    },
    hasSpellings(dump.report) && {words: 'Raw names', key: 'r', on: stack.rawNames, flip: act.spellings},
  ].filter(item => item !== false);
}

const viewMenu = (items: readonly ViewItem[]): TemplateResult | typeof nothing =>
  items.length === 0
    ? nothing
    : html`${popoverButton('view', 'button menu-button', html`View`)}
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
