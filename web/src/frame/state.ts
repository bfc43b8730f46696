// The state of the inspector: what was requested for frames, and the source files.
import type {Loadable} from '../app/loadable.ts';
import type {Code, Pointer} from '../engine/types.ts';
import type {Thread} from '../report.ts';
import {noSources, type Sources, type SourceText} from './source.ts';

export interface FrameState {
  /** Threads with the evidence for their frames. */
  readonly explained: ReadonlyMap<string, Loadable<Thread>>;
  /** Words of the stack, by frame. */
  readonly memory: ReadonlyMap<string, Loadable<Uint8Array | null>>;
  /** The symbols at these words. */
  readonly pointers: ReadonlyMap<string, Loadable<readonly Pointer[]>>;
  readonly code: ReadonlyMap<string, Loadable<Code>>;
  /** Source files that were opened, by name. */
  readonly sources: Sources;
  /** The text of the needed ones, by path. */
  readonly texts: ReadonlyMap<string, Loadable<SourceText>>;
  /** The user's choice among several files that match a frame's path. */
  readonly picked: ReadonlyMap<string, string>;
}

export const firstFrame: FrameState = {
  explained: new Map(),
  memory: new Map(),
  pointers: new Map(),
  code: new Map(),
  sources: noSources,
  texts: new Map(),
  picked: new Map(),
};

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
