// Which of the inspector's panels is shown.
import {type Panel, tabs} from '../frame/tabs.ts';
import type {Frame, Report} from '../report.ts';
import {hasVariables} from '../variables/variables.ts';
import type {State} from './state.ts';

/** The tabs that there is room for: a phone has none for all panels one after the other. */
export const shownTabs = ({width}: State): typeof tabs =>
  width === 'narrow' ? tabs.filter(t => t.tab !== 'all') : tabs;

/** The panel that was chosen. Otherwise the variables, where the symbols may know some, or everything. */
export function shownTab(state: State, report: Report, frame: Frame): Panel {
  const chosen = state.place?.tab ?? 'auto';
  const shown = shownTabs(state);
  const found = shown.find(t => t.tab === chosen);
  if (found) return found.tab;
  if (hasVariables(report, frame)) return 'variables';
  return state.width === 'narrow' ? 'code' : 'all';
}
