// The goroutines of a program of Go, or the threads of Python or JavaScript with their calls, below the threads.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import type {Task} from '../report.ts';
import {memo} from '../text/maps.ts';
import {counted, visibleRow} from '../text/text.ts';
import {more, rowsShown} from '../widgets/region.view.ts';
import {type TaskGroup, taskSections, told} from './tasks.ts';

const sectionsOf = memo(taskSections);

export const tasks = (state: Pick<State, 'lists'>, dump: OpenDump, act: Actions): TemplateResult[] =>
  sectionsOf(dump.report).map(({id, title, noun, count, groups}) => {
    const key = `${dump.id}.${id}`;
    return html`
      <section class="threads-region" id=${id} tabindex="-1" aria-labelledby="${id}-title">
        <div class="region-head">
          <h2 id="${id}-title">${title}</h2>
          <span class="quiet">${counted(count, noun)}, ${counted(groups.length, 'different stack')}</span>
        </div>
        <ul class="groups tasks">
          ${rowsShown(state, key, groups).map(row)}
        </ul>
        ${more(state, key, groups.length, act)}
      </section>
    `;
  });

const row = ({first, tasks: all, ids, lines}: TaskGroup): TemplateResult => html`
  <li>
    <details>
      <summary>${all.length} × ${visibleRow(first.state)}${creator(first)}${told(first)} <span class="quiet">${ids}</span></summary>
      <ol>
        ${lines.map(line => html`<li><code>${line}</code></li>`)}
      </ol>
    </details>
  </li>
`;

const creator = ({created_by: name}: Task): unknown =>
  name ? html` <span class="quieter">created by</span> <code>${visibleRow(name)}</code>` : nothing;
