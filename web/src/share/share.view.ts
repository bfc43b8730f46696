// Sharing a crash: what the dump would reveal, what may go out, and which files can be made. Masks are on until the user
// turns them off. Of a secret, the dialog shows the kind and the location, never the value.

import type {Output, Product, Share} from './state.ts';
import './share.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import type {Checklist, Made, SanitizeResult, SliceNames} from '../engine/types.ts';
import {counted, sentence, visible, visibleRow} from '../text/text.ts';
import {contents, type Kind, kindsOf, lines, removed, sameFrames, sizes} from './share.ts';

export const share = (state: State, dump: OpenDump | null, act: Actions): TemplateResult => {
  const now = dump && state.share?.dump === dump.id ? state.share : null;
  return html`
    <dialog class="share" id="share" aria-labelledby="share-title" @close=${act.share.closed}>
      <div class="sheet-head">
        <h2 id="share-title">Share this crash</h2>
        <button class="button" @click=${act.share.close}>Close</button>
      </div>
      ${now ? body(now, act) : nothing}
    </dialog>
  `;
};

const body = (now: Share, act: Actions): TemplateResult => html`
  <p class="lead">Nothing is sent. Each button makes a file or copies text; whom you give it to is up to you.</p>
  <section aria-labelledby="share-tells">
    <h3 id="share-tells">What this dump reveals</h3>
    ${checklist(now, act)}
  </section>
  <section aria-labelledby="share-out">
    <h3 id="share-out">What may go out</h3>
    ${choice('names', now.names, 'Names and sensitive text', 'Names of people in paths, the environment, the command line, annotations, comments, documents and whatever looks like a secret stay readable.', act)}
    ${choice('values', now.values, 'Values of variables', 'Reports get the arguments and local variables of the crashing thread: numbers and pointers, and texts where sensitive text may go out.', act)}
    ${choice('memory', now.memory, 'Memory of the stack', 'The report gets the crashing thread’s stack as bytes, the dump keeps whole stacks. Both may hold passwords and messages.', act)}
    ${functionNames(now, act)}
  </section>
  <section aria-labelledby="share-make">
    <h3 id="share-make">Make</h3>
    <ul class="products">
      ${product('report', 'Download report', reportWords(now), now, act)}
      ${product('dump', isText(now) ? 'Download own form' : 'Download dump', dumpWords(now), now, act)}
      ${product('capsule', 'Make capsule', `One page: this viewer with the smaller dump, its symbols and lines of source inside. It opens without a network. ${masked(now)}`, now, act)}
      ${product('markdown', 'Copy Markdown', `For an issue: the verdict and the stacks. ${masked(now)}`, now, act)}
      ${product('text', 'Copy text', `For a mail: the whole report as plain text. ${masked(now)}`, now, act)}
    </ul>
    <div role="status">${outcome(now, act)}</div>
  </section>
`;

const masked = ({names}: Share): string => (names ? 'Names are readable.' : 'Names are masked.');

const reportWords = (now: Share): string =>
  `One page that opens without a network and shows the same stacks. ${masked(now)} ${now.memory ? 'The stack’s memory is in it.' : now.values ? 'Values of variables are in it.' : 'No memory is in it.'}`;

const isText = ({checklist: list}: Share): boolean => list.state === 'done' && list.value.text;

const dumpWords = (now: Share): string =>
  isText(now)
    ? `The report in its own form, which other programs read too${now.names ? ', names readable' : ', with names and secrets masked'}. It is read again, and what was taken out is listed.`
    : smaller(now);

const smaller = ({names, memory}: Share): string =>
  `A smaller dump with ${memory ? 'whole stacks' : 'only what the stacks need'}${names ? ', names readable' : ''}. It is walked again, and what was taken out is listed.`;

const choice = (
  what: 'names' | 'memory' | 'values',
  on: boolean,
  title: string,
  words: string,
  act: Actions,
): TemplateResult => html`
  <label class="choice">
    <input type="checkbox" id="share-${what}" .checked=${on} aria-describedby="share-${what}-words" @change=${() => act.share.flip(what)} />
    <span><b>${title}</b> <span class="quieter" id="share-${what}-words">${words}</span></span>
  </label>
`;

const nameChoices: readonly (readonly [SliceNames, string])[] = [
  ['own', 'of your modules'],
  ['all', 'of all modules'],
  ['none', 'none'],
];

const functionNames = (now: Share, act: Actions): TemplateResult => html`
  <label class="choice names" for="share-symbols-names">
    <span><b>Function names in symbols</b> <span class="quieter">A capsule has those. Stacks are exact without them.</span></span>
    <select id="share-symbols-names" @change=${(event: Event) => act.share.keep((event.target as HTMLSelectElement).value as SliceNames)}>
      ${nameChoices.map(([value, words]) => html`<option value=${value} ?selected=${now.symbols === value}>${words}</option>`)}
    </select>
  </label>
`;

const product = (kind: Product, title: string, words: string, now: Share, act: Actions): TemplateResult => {
  const busy = now.made?.state.state === 'waiting';
  return html`
    <li>
      <button
        class=${kind === 'report' ? 'button primary' : 'button'}
        id="share-${kind}"
        aria-disabled=${busy ? 'true' : nothing}
        aria-describedby="share-${kind}-words"
        @click=${() => act.share.make(kind)}
      >
        ${title}
      </button>
      <span class="quieter" id="share-${kind}-words">${words}</span>
    </li>
  `;
};

function checklist({checklist: list}: Share, act: Actions): TemplateResult {
  if (list.state === 'waiting') return html`<p class="quiet" role="status">Looking through the dump</p>`;
  if (list.state === 'failed') {
    return html`<p role="alert"><span class="doubt">✕ The dump could not be looked through: ${visible(sentence(list.why))}</span>
      <button class="link tap" @click=${act.share.check}>Try again</button></p>`;
  }
  const {people, secrets, items} = list.value;
  if (people.length + secrets.length + items.length === 0) {
    return html`<p>No names of people, no secrets, and no environment were found in it.</p>`;
  }
  return revealed(list.value);
}

const revealed = (list: Checklist): TemplateResult => html`
  <ul class="tells">
    ${
      list.people.length === 0
        ? nothing
        : html`<li><b>Names of people</b> <span>${list.people.map((name, i) => html`${i > 0 ? ', ' : nothing}<code>${visibleRow(name)}</code>`)}</span> ${place(true)}</li>`
    }
    ${kindsOf(list.secrets).map(secret)}
    ${lines(list).map(line => html`<li><b>${visibleRow(line.what)}</b> <span>${line.words}</span> ${place(line.inReport)}</li>`)}
  </ul>
`;

const place = (inReport: boolean): TemplateResult =>
  html`<span class="quiet">${inReport ? 'dump and report' : 'dump only'}</span>`;

// The first locations suffice to find them.
const placesShown = 3;

const secret = ({kind, places, stays}: Kind): TemplateResult => html`
  <li class="secret">
    <b><span aria-hidden="true">~</span> ${visibleRow(kind)}</b>
    <span>${places.slice(0, placesShown).map(visibleRow).join(', ')}${places.length > placesShown ? ` and ${counted(places.length - placesShown, 'more place')}` : nothing}</span>
    <span class="quiet">${stays ? 'stays in the dump' : 'looks like a secret'}</span>
  </li>
`;

const names: Readonly<Record<Product, string>> = {
  report: 'The report',
  dump: 'The dump',
  capsule: 'The capsule',
  markdown: 'The report as Markdown',
  text: 'The report as text',
};

function outcome(now: Share, act: Actions): TemplateResult | typeof nothing {
  const {made} = now;
  if (!made) return nothing;
  const {state, product: kind} = made;
  if (state.state === 'waiting') {
    return html`<p class="quiet">${waits[kind] ?? 'Writing'}</p>`;
  }
  if (state.state === 'failed') {
    return html`<p class="doubt">✕ ${names[kind]} could not be made: ${visible(sentence(state.why))}</p>`;
  }
  if (kind === 'markdown' || kind === 'text') return html`<p>✓ ${names[kind]} is on the clipboard.</p>`;
  return done(kind, state.value, isText(now), act);
}

const waits: Readonly<Partial<Record<Product, string>>> = {
  dump: 'Removing unneeded data and checking that every stack is unchanged',
  capsule: 'Removing unneeded data, checking that every stack is unchanged, and putting the dump into a page',
};

function done(kind: Product, value: Output, text: boolean, act: Actions): TemplateResult {
  if (value === null) return html`<p>✓ ${names[kind]} is among your downloads.</p>`;
  return 'data' in value ? saved(value, act) : cleaned(value, text);
}

// A file whose size is shown before it is saved.
const saved = (made: Made, act: Actions): TemplateResult => html`
  <div class="cleaned">
    <p>✓ ${names.capsule}: ${contents(made)}
      <button class="button" id="share-save" @click=${act.share.save}>Save capsule</button></p>
    ${made.result.changed.length === 0 ? nothing : html`<ul class="doubt">${made.result.changed.map(c => html`<li>${visibleRow(c)}</li>`)}</ul>`}
    <ul>${made.result.files.map(file => html`<li><code>${visibleRow(file.name)}</code></li>`)}</ul>
  </div>
`;

// The result for the dump: the proof that its stacks are unchanged, then the list of what was removed.
const cleaned = (result: SanitizeResult, text: boolean): TemplateResult => {
  const left = kindsOf(result.secrets.filter(s => s.stays));
  return html`
    <div class="cleaned">
      <p>✓ The ${text ? 'report' : 'dump'} is among your downloads. ${sizes(result)} ${sameFrames(result)}</p>
      ${result.changed.length === 0 ? nothing : html`<ul class="doubt">${result.changed.map(c => html`<li>${visibleRow(c)}</li>`)}</ul>`}
      ${result.removed.length === 0 ? nothing : html`<h4>Taken out</h4><ul>${result.removed.map(r => html`<li>${visibleRow(removed(r))}</li>`)}</ul>`}
      ${result.people.length === 0 ? nothing : html`<p>${counted(result.people.length, 'name')} of people replaced.</p>`}
      ${
        left.length === 0
          ? nothing
          : html`<h4 class="doubt">✕ Still in it</h4>
              <ul>
                ${left.map(s => html`<li>${visibleRow(s.kind)}: ${s.places.slice(0, placesShown).map(visibleRow).join(', ')}</li>`)}
              </ul>`
      }
    </div>
  `;
};
