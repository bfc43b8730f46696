// The browser's own file chooser behind a label that looks like a button: with its keys, focus and support for screen readers.
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {asDropped, sorted} from '../app/drop.ts';

/** A button that opens files; with a folder's, all that is in it. */
export function filePicker(
  words: string,
  key: string | null,
  classes: string,
  act: Actions,
  folder = false,
): TemplateResult {
  return html`<label class=${classes}
    ><input
      type="file"
      class="visually-hidden"
      multiple
      ?webkitdirectory=${folder}
      data-opens=${folder ? 'folder' : 'files'}
      aria-keyshortcuts=${key ?? nothing}
      @click=${(event: Event) => act.sessions.pick(folder) && event.preventDefault()}
      @change=${(event: Event) => chosen(event, act)}
    />${words}</label
  >`;
}

function chosen(event: Event, act: Actions): void {
  const input = event.currentTarget;
  if (!(input instanceof HTMLInputElement) || !input.files) return;
  const {files, sources} = sorted([...input.files].map(asDropped));
  // The same file may be chosen again after it changed.
  input.value = '';
  act.sources.add(sources);
  if (files.length > 0) void act.open.add(files);
}

/** What the key o does. */
export function chooseFiles(): void {
  document.querySelector<HTMLInputElement>('input[data-opens="files"]')?.click();
}
