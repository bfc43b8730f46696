// The state that the views share: the layout, the settings with the theme, the work in progress, and the long lists.
import type {Progress} from '../engine/types.ts';

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

/** The state of long lists, by the lists' names. */
export interface ListsState {
  readonly filters: ReadonlyMap<string, string>;
  /** How many rows are shown, if more than the first chunk. */
  readonly shown: ReadonlyMap<string, number>;
}

export const firstLists: ListsState = {filters: new Map(), shown: new Map()};

export type Theme = 'system' | 'light' | 'dark';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** The theme after this one: the button goes round. */
export const nextTheme = (theme: Theme): Theme => themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';

/** The stored theme, if it is one. */
export const asTheme = (stored: string | null): Theme => themes.find(theme => theme === stored) ?? 'system';
