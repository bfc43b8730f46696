// What stands below the stacks: everything else that the dump holds.
import {html, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import type {Turns} from '../app/turns.ts';
import {keyLine} from './help.ts';
import {annotations, handles, notes, streams} from './lists.ts';
import {memory} from './memory.ts';
import {modules} from './modules.ts';
import {part, type View} from './part.ts';
import {linux, mac} from './system.ts';

export const sections = (state: State, dump: OpenDump, act: Actions, turns: Turns): TemplateResult => html`
  ${all.map(view => part(view, state, dump, act, turns))}
`;

const all: readonly View<OpenDump>[] = [modules, memory, annotations, handles, linux, mac, streams, notes, keyLine];
