// What the operating system left in the dump: files of /proc, limits, the distribution; crash information of macOS.
import './system.css';
import {html, nothing, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import type {MacCrashRecord, TextFile} from '../report.ts';
import {counted, visibleLines, visibleRow} from '../text/text.ts';
import {region, table} from '../widgets/region.view.ts';

type Seen = Pick<State, 'streams'>;

type Maybe = TemplateResult | typeof nothing;

export const linux = (state: Seen, {report}: OpenDump, act: Actions): Maybe => {
  const files = report.linux_files ?? [];
  const release = report.lsb_release;
  const limits = report.proc_limits?.limits ?? [];
  if (files.length === 0 && release === null && limits.length === 0) return nothing;
  return region(
    'linux',
    'Linux',
    release === null
      ? `${counted(files.length, 'file')} of /proc`
      : visibleRow(release.description || `${release.id} ${release.release}`),
    html`<div class="region-body">
      ${files.map(file => textFile(state, file, act))} ${limits.length === 0 ? nothing : limitTable(limits)}
    </div>`,
  );
};

const textFile = (state: Seen, file: TextFile, act: Actions): TemplateResult => {
  const masked = file.sensitive && !state.streams.unmasked.has(file.name);
  const lines = visibleLines(file.text.replace(/\n$/, ''));
  return html`
    <details class="text-file">
      <summary><code>${visibleRow(file.name)}</code> <span class="quiet">${counted(lines.length, 'line')}${file.sensitive ? ', may hold secrets' : ''}</span></summary>
      ${
        masked
          ? html`<p class="quieter">Hidden, because such files hold names, paths and keys. <button class="button" @click=${() => act.unmask(file.name)}>Show ${visibleRow(file.name)}</button></p>`
          : html`<pre tabindex="0" role="region" aria-label=${visibleRow(file.name)}>${lines.join('\n')}</pre>
              ${file.sensitive ? html`<button class="button" @click=${() => act.unmask(file.name)}>Hide</button>` : nothing}`
      }
    </details>
  `;
};

const limitTable = (
  limits: readonly {name: string; soft: unknown; hard: unknown; unit: string}[],
): TemplateResult => html`
  <details class="text-file">
    <summary>Limits <span class="quiet">${limits.length}</span></summary>
    ${table(
      'Limits',
      [['Limit'], ['Soft', 'end'], ['Hard', 'end'], ['Unit']],
      limits.map(({name, soft, hard, unit}) => [name, `${soft ?? ''}`, `${hard ?? ''}`, unit].map(visibleRow)),
    )}
  </details>
`;

export const mac = (_: unknown, {report}: OpenDump): Maybe => {
  const records = (report.mac_crash_info?.records ?? []).filter(record => textsOf(record).length > 0);
  if (records.length === 0 && report.mac_boot_args === null) return nothing;
  return region(
    'mac',
    'macOS',
    report.mac_boot_args === null ? '' : visibleRow(report.mac_boot_args),
    html`<dl class="region-body mac">${records.map((record, i) => macRecord(record, records[i - 1]))}</dl>`,
  );
};

const textsOf = ({message, message2, signature_string: signature, backtrace}: MacCrashRecord): string[] =>
  [message, message2, signature, backtrace].flatMap(text => text || []);

// The library of several records is named once.
const macRecord = (record: MacCrashRecord, last: MacCrashRecord | undefined): TemplateResult => {
  const name = last && last.module === record.module ? '' : (record.module ?? 'unknown library');
  return html`${name === '' ? nothing : html`<dt class="mono">${visibleRow(name)}</dt>`}
    <dd>${textsOf(record).map(text => html`<pre>${visibleLines(text).join('\n')}</pre>`)}</dd>`;
};
