// The description of a capsule: its contents, when it was made and by which program.
import './capsule.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {State} from '../app/state.ts';
import {time} from '../text/format.ts';
import {counted, visible, visibleRow} from '../text/text.ts';

export const capsuleNote = ({capsule}: State): TemplateResult | typeof nothing => {
  if (!capsule) return nothing;
  const [dump, ...others] = capsule.names;
  return html`<details class="capsule">
    <summary>
      This page has its dump inside${capsule.cleaned ? ', with what could be personal removed' : ', as it was written'}.
      <span class="quieter">${made(capsule.made, capsule.by)}</span>
    </summary>
    <ul>
      <li><code>${visibleRow(dump ?? '')}</code></li>
      ${others.map(name => html`<li><code>${visibleRow(name)}</code></li>`)}
    </ul>
    <p class="quieter">${counted(others.length, 'other file')}: the records of symbol files that these stacks need, and lines of source.</p>
  </details>`;
};

const made = (date: Date | null, by: string): string => {
  const words = [date ? `Made ${time(date.getTime() / 1000)} UTC` : '', by === '' ? '' : `by ${visible(by)}`].filter(
    part => part !== '',
  );
  return words.length === 0 ? '' : `${words.join(' ')}.`;
};
