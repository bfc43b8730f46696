// The settings that the page remembers. No data of a dump.
import {asShare} from '../crash/split.ts';
import {asTheme, type Theme} from '../page/state.ts';
import {asShell} from '../symbols/get.ts';
import type {State} from './state.ts';

type Stored = Pick<State, 'settings' | 'page' | 'stack' | 'symbols'>;

const onOff = (is: boolean): string => (is ? 'on' : 'off');

/** The settings by the names under which they are stored. */
const named = ({settings, page, stack, symbols}: Stored): Readonly<Record<string, string>> => ({
  theme: settings.theme,
  'single-keys': onOff(settings.singleKeys),
  'system-frames': onOff(stack.system),
  arguments: onOff(stack.arguments),
  split: String(page.split),
  shell: symbols.shell,
});

/** Keeps the settings that have changed. */
export function storeSettings(now: Stored, before: Stored): void {
  const old = named(before);
  for (const [name, value] of Object.entries(named(now))) if (value !== old[name]) keep(name, value);
}

/** The state with the settings of the last visit. */
export const storedSettings = ({page, stack, symbols}: State): Stored => ({
  settings: {theme: asTheme(stored('theme')), singleKeys: stored('single-keys') !== 'off'},
  page: {...page, split: asShare(stored('split'))},
  stack: {...stack, arguments: stored('arguments') !== 'off', system: stored('system-frames') === 'on'},
  symbols: {...symbols, shell: asShell(stored('shell'), navigator.platform)},
});

/** Colours the page. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(`crashglass.${name}`);
  } catch {
    return null; // the browser refuses storage: the preference lasts as long as the tab
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`crashglass.${name}`, value);
  } catch {
    // as above
  }
}
