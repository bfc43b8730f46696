// The inspector's panels.

export type Tab = 'all' | 'code' | 'registers' | 'stack' | 'why';

export const tabs: readonly {readonly tab: Tab; readonly title: string}[] = [
  {tab: 'all', title: 'All'},
  {tab: 'code', title: 'Code'},
  {tab: 'registers', title: 'Registers'},
  {tab: 'stack', title: 'Stack'},
  {tab: 'why', title: 'Why this frame'},
];

export const isTab = (name: string): name is Tab => tabs.some(({tab}) => tab === name);
