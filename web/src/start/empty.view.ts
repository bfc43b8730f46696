// The page before any dump: where to drop, three examples, and what can be opened again. On every page, the last lines say what the browser stores.
import './empty.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {loadingWords} from '../page/work.ts';
import {size} from '../text/format.ts';
import {counted} from '../text/text.ts';
import {filePicker} from '../widgets/files.view.ts';
import {againWords} from './again.ts';
import {readyFiles} from './ready.view.ts';

export const empty = (state: State, act: Actions): TemplateResult => html`
  <div class="empty">
    <h1 tabindex="-1" id="title">Open a crash dump in your browser. Nothing is uploaded.</h1>
    ${dropZone(state, act)}
    ${state.capsule ? nothing : examples(act)}
  </div>
`;

const all: readonly (readonly [string, string])[] = [
  ['Null pointer', 'a crash with symbols and source'],
  ['Deadlock', 'two threads wait for each other’s locks'],
  ['Poor dump', 'no symbols, and a stack that is a guess'],
];

const examples = (act: Actions): TemplateResult => html`
  <h2 class="try-head">Or try an example</h2>
  <ul class="try">
    ${all.map(
      ([title, words], i) => html`<li>
        <button class="button large" aria-describedby="example-${i}" @click=${() => void act.open.example(i)}>${title}</button>
        <span class="quieter" id="example-${i}">${words}</span>
      </li>`,
    )}
  </ul>
`;

const dropZone = (state: State, act: Actions): TemplateResult => html`
  <section class="zone" aria-labelledby="drop">
    <h2 id="drop">${state.symbols.files.length + state.frame.sources.count > 0 ? ready(state) : 'Drop dumps, symbols and source anywhere on this page'}</h2>
    <p class="quieter">${state.reading.engine.state === 'waiting' ? loading(state) : 'Minidumps, ELF cores, kernel dumps and text reports, in any mix and in archives, too.'}</p>
    <div class="zone-buttons">
      ${filePicker('Open files', 'o', 'button primary large', act)} ${filePicker('Open folder', null, 'button large', act, true)}
    </div>
    ${readyFiles(state, act)}
  </section>
`;

const loading = ({reading: {coming}}: State): string =>
  `${loadingWords(coming)}. Files that you drop now are read when it is there.`;

function ready({symbols: {files: symbolFiles}, frame: {sources}}: State): string {
  const all = [
    symbolFiles.length > 0 ? counted(symbolFiles.length, 'symbol file') : '',
    sources.count > 0 ? counted(sources.count, 'source file') : '',
  ];
  return `${all.filter(words => words !== '').join(' and ')} ready. Drop the dump.`;
}

/** Opens what was open when the page was closed. */
export const again = ({again: {offer}}: Pick<State, 'again'>, act: Actions): TemplateResult | typeof nothing =>
  offer.length === 0
    ? nothing
    : html`<p class="again region-body">
        <button class="button primary" id="again" @click=${() => void act.sessions.again()}>${againWords(offer)}</button>
        <button class="link tap" @click=${() => void act.sessions.forget()}>Forget</button>
        <span class="quieter">The browser asks whether this page may read the files. It keeps where they are, not what they hold.</span>
      </p>`;

/** What the browser stores, in one line each. */
export const stored = (state: State, act: Actions): unknown => html`${indexes(state, act)}${files(state, act)}`;

const files = ({again}: State, act: Actions): TemplateResult | typeof nothing =>
  again.stored === 0
    ? nothing
    : html`<p class="stored quiet">
        This browser keeps where ${counted(again.stored, 'file or folder', 'files or folders')} of this tab ${again.stored === 1 ? 'is' : 'are'}, to open
        ${again.stored === 1 ? 'it' : 'them'} again after a reload, and nothing of the content. <button class="link tap" @click=${() => void act.sessions.forget()}>Forget</button>
      </p>`;

const indexes = ({symbols: {stored}}: State, act: Actions): TemplateResult | typeof nothing =>
  stored === null || stored.files === 0
    ? nothing
    : html`<p class="stored quiet">
        ${stored.lasting ? 'This browser keeps' : 'This tab keeps, until it is closed,'}
        ${counted(stored.files, 'index', 'indexes')} of symbol files, ${size(stored.bytes)}: where records stand and for which
        addresses, without any name. <button class="link tap" @click=${act.forget}>Clear</button>
      </p>`;
