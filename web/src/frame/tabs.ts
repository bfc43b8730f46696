// The inspector's panels.

/** A panel. */
export type Panel = 'variables' | 'code' | 'registers' | 'stack' | 'why' | 'all';

/** The user's choice: a panel, or automatic. */
export type Tab = Panel | 'auto';

/** The panels in the order of their keys. */
export const tabs: readonly {readonly tab: Panel; readonly title: string}[] = [
  {tab: 'variables', title: 'Variables'},
  {tab: 'code', title: 'Code'},
  {tab: 'registers', title: 'Registers'},
  {tab: 'stack', title: 'Stack'},
  {tab: 'why', title: 'Why this frame'},
  {tab: 'all', title: 'All'},
];

export const isTab = (name: string): name is Panel => tabs.some(({tab}) => tab === name);
