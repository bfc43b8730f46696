// The files that name a module's functions, if there are several, and the button that saves all of its symbols as one file.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import {symsKey} from '../app/syms.ts';
import type {Module} from '../report.ts';
import {baseName, sentence, visible, visibleRow} from '../text/text.ts';

type Seen = Pick<State, 'symbols'>;

const used = ({symbols}: Module): boolean => symbols?.state === 'matched' || symbols?.state === 'public_only';

/** The files that were used, when there is more than one, and that code comes from one of them. */
export function symbolFiles(module: Module): TemplateResult | typeof nothing {
  const {symbols} = module;
  if (!symbols || !used(module)) return nothing;
  const files = [symbols.file, ...(symbols.also ?? [])].filter(file => file !== null);
  const words = files.length > 1 ? `from ${files.map(path => visibleRow(baseName(path))).join(', ')}` : '';
  const code = symbols.code ? 'its code is here, too' : '';
  const all = [words, code].filter(part => part !== '').join('; ');
  return all === '' ? nothing : html` <span class="quiet" title=${files.map(visibleRow).join('\n')}>${all}</span>`;
}

// A .sym file without a dump would be written unchanged.
const hasMore = (module: Module): boolean =>
  used(module) &&
  [module.symbols?.file ?? '', ...(module.symbols?.also ?? [])].some(f => f !== '' && !/\.sym(\.gz)?$/i.test(f));

/** The button that offers a module's symbols as a .sym file, where native files have them. */
export const symsButton = (
  state: Seen,
  dump: OpenDump,
  index: number,
  act: Actions,
): TemplateResult | typeof nothing => {
  const module = dump.report.modules?.[index];
  if (!module || !hasMore(module)) return nothing;
  const loaded = state.symbols.syms.get(symsKey(dump, index));
  return html`<span class="syms">
    <button
      class="link tap"
      aria-label="Download .sym of ${visibleRow(module.filename)}"
      aria-disabled=${loaded?.state === 'waiting' ? 'true' : nothing}
      @click=${() => act.downloadSyms(index)}
    >
      ${loaded?.state === 'waiting' ? 'Writing .sym' : 'Download .sym'}
    </button>
    ${loaded?.state === 'failed' ? html`<span class="doubt" role="status">✕ ${visible(sentence(loaded.why))}</span>` : nothing}
  </span>`;
};
