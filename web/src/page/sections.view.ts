// The sections below the stacks: everything else in the dump.
import {html, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import type {Turns} from '../app/turns.ts';
import {memory} from '../memory/memory.view.ts';
import {modules} from '../modules/modules.view.ts';
import {annotations, handles, notes, streams} from '../streams/lists.view.ts';
import {linux, mac} from '../streams/system.view.ts';
import {part, type View} from '../widgets/part.view.ts';
import {keyLine} from './help.view.ts';

export const sections = (state: State, dump: OpenDump, act: Actions, turns: Turns): TemplateResult => html`
  ${all.map(view => part(view, state, dump, act, turns))}
`;

const all: readonly View<OpenDump>[] = [modules, memory, annotations, handles, linux, mac, streams, notes, keyLine];
