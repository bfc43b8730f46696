// What leaves this page: every request since it was loaded, the policy in force, and what no policy can stop.
import './privacy.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {State} from '../app/state.ts';
import type {SentRequest} from '../privacy/state.ts';
import {counted, visibleRow} from '../text/text.ts';
import {popover, popoverButton} from '../widgets/popover.view.ts';

/** The button in the top bar: how often the browser fetched anything since the page was complete. */
export const requests = (state: State): TemplateResult => {
  const count =
    state.reading.engine.state === 'done'
      ? html`<span class="count">, ${counted(state.privacy.requests, 'request')}</span>`
      : nothing;
  return popoverButton(
    'privacy',
    'local button plain',
    html`<span class="dot" aria-hidden="true"></span><span>Local${count}</span>`,
  );
};

export const privacy = (state: State, act: Actions): TemplateResult =>
  popover(
    'privacy',
    html`<section class="privacy" aria-labelledby="privacy-title">
      <h2 id="privacy-title">What leaves this page</h2>
      ${sinceLoad(state)} ${state.privacy.update ? update(act) : nothing}
      <h3>In force</h3>
      <ul class="policies">
        ${policies().map(policy => html`<li><code>${policy}</code></li>`)}
      </ul>
      <p>${refused(state.privacy.refused)}</p>
      <h3>What no policy stops</h3>
      <p>
        A page can open, download or go to another address, look up a host’s name, connect to it ahead of a visit, call by WebRTC, have
        the browser ask a host about signing in, and leave a cookie or a header that goes along with its host’s next request. This one
        has no code that does; a script that is not its own cannot get in.
      </p>
      <h3>Kept on this machine</h3>
      <p>${cached(state)}</p>
    </section>`,
  );

const who: Readonly<Record<SentRequest['by'], string>> = {
  page: 'the page',
  'service worker': 'the service worker',
  symbols: 'the requester of symbols',
};

const sinceLoad = (state: State): TemplateResult => {
  const {requested, host} = state.privacy;
  const by = Object.entries(who).filter(([name]) => name !== 'symbols' || host !== null);
  return html`
    <dl class="counts">
      ${by.map(([name, words]) => html`<dt>Requests by ${words}</dt><dd>${requested.filter(({by}) => by === name).length}</dd>`)}
    </dl>
    ${requested.length === 0 ? nothing : html`<ul class="requested">${requested.map(({url}) => html`<li><code>${visibleRow(url)}</code></li>`)}</ul>`}
    <p class="quieter">Counted since the page was loaded. The browser’s own network panel is the better witness.</p>
  `;
};

const refused = (n: number): string =>
  n === 0 ? 'Nothing has tried to get out.' : `The browser refused ${counted(n, 'attempt')} to get out.`;

const update = (act: Actions): TemplateResult => html`
  <p class="update">
    A newer version of this page is ready.
    <button class="button" @click=${act.privacy.update}>Load it, and close what is open</button>
  </p>
`;

const cached = (state: State): string => {
  const {notCached} = state.privacy;
  const page =
    notCached === ''
      ? 'The page itself, so that it opens without a network.'
      : `Not the page: ${notCached ?? 'its parts are being fetched.'}`;
  return `${page} The theme, whether single keys work, and indexes of large symbol files. Where a browser can (Chromium does), which files and
    folders are open, to open them again: their names and places, not what they hold. Nothing of any dump, but for the unpacked contents of a large compressed one: they are removed when it is closed, at the next visit at the latest.`;
};

// The policies that the document really has: the engine adds the second one when everything is in memory.
const policies = (): string[] =>
  [...document.querySelectorAll<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')].map(
    meta => meta.content,
  );
