// The state of what surrounds all views.
import type {Progress} from '../engine/types.ts';
import type {Theme} from './theme.ts';

/** The three layouts: split, one column, phone. */
export type Width = 'wide' | 'medium' | 'narrow';

export interface LayoutState {
  readonly width: Width;
  /** The width of the window in pixels, in steps of 40. */
  readonly across: number;
}

export const firstLayout: LayoutState = {width: 'wide', across: 1440};

/** What changes often, and is read by few views. */
export interface PageState {
  /** The section in view. */
  readonly section: string;
  /** Files are dragged over the page. */
  readonly dragging: boolean;
  /** The stack's share of the width beside the inspector. */
  readonly split: number;
}

export const firstPage: PageState = {section: 'crash', dragging: false, split: 0.5};

export interface Settings {
  readonly theme: Theme;
  readonly singleKeys: boolean;
}

export const firstSettings: Settings = {theme: 'system', singleKeys: true};

/** Work that takes noticeable time. */
export interface Work {
  readonly progress: Progress | null;
  /** Milliseconds of performance.now(), for the speed in the text. */
  readonly since: number;
  /** Seconds without progress, once the user should know. */
  readonly silent?: number;
}
