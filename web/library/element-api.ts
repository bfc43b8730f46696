// The types of "crashglass/element".
import type {NamedFile} from './api.ts';

export type {NamedFile};

/** Whether the dump is shown. */
export type Answer = 'shown' | 'refused';

/** <crash-glass src="https://viewer.example/">: src is the address of a page of Crashglass whose site.json names your origin. */
export interface CrashGlassElement extends HTMLElement {
  /** Loads the page anew, and gives it a dump with its symbols. */
  show(files: readonly NamedFile[]): Promise<Answer>;
}

declare global {
  interface HTMLElementTagNameMap {
    'crash-glass': CrashGlassElement;
  }
}
