// Which of the inspector's panels is shown.
import {type Panel, tabs} from '../frame/tabs.ts';
import type {Frame, Report} from '../report.ts';
import {hasVariables} from '../variables/variables.ts';
import type {State} from './state.ts';

/** The tabs in view: a phone has no room for the tab with all panels. */
export const shownTabs = ({layout: {width}}: Pick<State, 'layout'>): typeof tabs =>
  width === 'narrow' ? tabs.filter(t => t.tab !== 'all') : tabs;

/**
 * The chosen panel. Without a choice, the variables if the symbols may know some, else everything.
 */
export function shownTab(state: Pick<State, 'place' | 'layout'>, report: Report, frame: Frame): Panel {
  const chosen = state.place?.tab ?? 'auto';
  const shown = shownTabs(state);
  const found = shown.find(t => t.tab === chosen);
  if (found) return found.tab;
  if (hasVariables(report, frame)) return 'variables';
  return state.layout.width === 'narrow' ? 'code' : 'all';
}
