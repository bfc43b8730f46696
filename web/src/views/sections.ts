// What stands below the stacks: everything else that the dump holds.
import {html, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import {keyLine} from './help.ts';
import {annotations, handles, notes, streams} from './lists.ts';
import {memory} from './memory.ts';
import {modules} from './modules.ts';
import {linux, mac} from './system.ts';

export const sections = (state: State, dump: OpenDump, act: Actions): TemplateResult => html`
  ${modules(state, dump, act)} ${memory(state, dump, act)} ${annotations(state, dump, act)} ${handles(state, dump, act)}
  ${linux(state, dump.report, act)} ${mac(dump.report)} ${streams(state, dump, act)} ${notes(state, dump, act)} ${keyLine()}
`;
