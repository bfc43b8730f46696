// The inspector's panels.

/** A panel. */
export type Panel = 'variables' | 'registers' | 'stack' | 'why';

/** The user's choice: a panel, or automatic. */
export type Tab = Panel | 'auto';

/** The panels in the order of their keys. */
export const tabs: readonly {readonly tab: Panel; readonly title: string}[] = [
  {tab: 'variables', title: 'Variables'},
  {tab: 'registers', title: 'Registers'},
  {tab: 'stack', title: 'Stack words'},
  {tab: 'why', title: 'Evidence'},
];

export const isTab = (name: string): name is Panel => tabs.some(({tab}) => tab === name);
