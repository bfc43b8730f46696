// The message for a link into a dump that is not open. The page follows the link as soon as that dump is opened.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import {visible} from '../text/text.ts';
import {short} from './fragment.ts';

export const linkNote = (
  {link, dumps}: State,
  dump: OpenDump | null,
  act: Actions,
): TemplateResult | typeof nothing => {
  const hash = link?.hash;
  if (hash == null || dumps.some(d => d.report.dump.hash?.startsWith(hash))) return nothing;
  if (link?.name != null)
    return note(
      html`This tab showed <code>${visible(link.name)}</code>. Drop it again, and the page goes where you were.`,
      act,
    );
  const own = dump?.report.dump.hash ?? null;
  return note(
    html`${dump ? 'The link leads into another dump' : 'The link leads into a dump'}, the one whose hash begins with <code>${short(hash)}</code>.
      ${own === null ? nothing : html`This one’s begins with <code>${short(own)}</code>.`} Drop it, and the page goes there.`,
    act,
  );
};

const note = (words: TemplateResult, act: Actions): TemplateResult => html`
  <section class="link-note" role="status" aria-label="Link">
    <p>${words}</p>
    <button class="button" @click=${act.select.forget}>Dismiss</button>
  </section>
`;
