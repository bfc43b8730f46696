// The page before any dump: what it is, where to drop, why to trust it, and what can be opened again. On every page, the last lines
// say what the browser stores.
import './empty.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import {isWhole} from '../engine/inside.ts';
import {loadingWords} from '../page/work.ts';
import {size} from '../text/format.ts';
import {counted} from '../text/text.ts';
import {filePicker} from '../widgets/files.view.ts';
import {againWords} from './again.ts';
import {readyFiles} from './ready.view.ts';

export const empty = (state: State, act: Actions): TemplateResult => html`
  <div class="empty">
    <h1 tabindex="-1" id="title">Read a crash dump without sending it anywhere</h1>
    <p class="lead">
      Drop a minidump, a kernel dump or an ELF core, and its symbols. You get what happened, where, and how far to trust each frame. All of it is computed in
      this tab.
    </p>
    ${dropZone(state, act)}
    ${state.capsule ? nothing : example(act)}
    ${proofs(state)}
  </div>
`;

const example = (act: Actions): TemplateResult => html`
  <p class="try">
    <button class="button large" @click=${() => void act.open.example()}>Try the example</button>
    <span class="quieter">A null pointer crash with its symbols, part of this page.</span>
    ${isWhole() ? nothing : tour}
  </p>
`;

// Pictures, which only this link loads, in a tab of its own. viewer.html is one file, and has none beside it.
const tour = html`<a class="button large" href="tour/index.html" target="_blank" rel="noreferrer">Tour in one minute</a>`;

const dropZone = (state: State, act: Actions): TemplateResult => html`
  <section class="zone" aria-labelledby="drop">
    <div class="zone-head">
      <div>
        <h2 id="drop">${state.symbols.files.length + state.frame.sources.count > 0 ? ready(state) : 'Drop dumps and symbols anywhere on this page'}</h2>
        <p class="quieter">${state.reading.engine.state === 'waiting' ? loading(state) : 'Any mix, in any order, at any time. Folders and archives too, and pasting.'}</p>
      </div>
      <div class="zone-buttons">
        ${filePicker('Open files', 'o', 'button primary large', act)} ${filePicker('Open folder', null, 'button large', act, true)}
      </div>
    </div>
    ${readyFiles(state, act)}
    <dl class="reads">
      ${reads.map(([what, which]) => html`<dt>${what}</dt><dd>${which}</dd>`)}
    </dl>
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

const reads: readonly (readonly [string, string])[] = [
  [
    'Dumps',
    '.dmp of Windows, Linux, macOS and Android, as Breakpad, Crashpad, Windows and LLDB write them; dumps of the Windows kernel (blue screens); ELF cores of Linux',
  ],
  ['Symbols', 'Breakpad .sym, PDB, ELF and Mach-O with their debug files, recognised by content and not by name'],
  ['Source', 'files or folders, to show the lines around a frame'],
  ['Archives', 'zip, tar, gzip, zstd, xz, lz4 and cabinets, with dumps and symbols inside'],
  ['Size', 'read in pages, never loaded whole'],
];

const proofs = (state: State): TemplateResult => html`
  <section class="proofs" aria-labelledby="proofs">
    <h2 id="proofs">Why you can believe it</h2>
    <dl>
      <div>
        <dt>The browser forbids it</dt>
        <dd>
          Once it is loaded, the page tells the browser to refuse every connection: <code>connect-src 'none'</code>. A request
          would be blocked and shown in the console.
          <details>
            <summary>Show the policy</summary>
            <ul>
              ${policies().map(policy => html`<li><code>${policy}</code></li>`)}
            </ul>
          </details>
        </dd>
      </div>
      <div>
        <dt>You can check</dt>
        <dd>
          Open the network panel, or go offline now: the page is already complete.
          ${state.reading.engine.state === 'done' ? html`<b>${counted(state.privacy.requests, 'request')} since load.</b>` : nothing}
        </dd>
      </div>
    </dl>
  </section>
`;

// What the document really has, not what it should have: the engine adds the second one when everything is in memory.
const policies = (): string[] =>
  [...document.querySelectorAll<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')].map(
    meta => meta.content,
  );

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
