// Fields of forms: a text that filters or searches, and a choice.
import {html, nothing, type TemplateResult} from 'lit-html';

/** A field whose text is used with each key. */
export const searchField = (
  id: string | null,
  label: string,
  placeholder: string,
  value: string,
  use: (text: string) => void,
): TemplateResult => html`<input
  class="field"
  type="search"
  id=${id ?? nothing}
  aria-label=${label}
  placeholder=${placeholder}
  .value=${value}
  @input=${(event: Event) => event.currentTarget instanceof HTMLInputElement && use(event.currentTarget.value)}
/>`;

/** A choice among values with their words. Without a label it belongs to the label around it. */
export const choice = <T>(
  label: string | null,
  all: readonly (readonly [value: T, words: string])[],
  now: T,
  use: (value: T) => void,
): TemplateResult => html`<select
  class="field"
  aria-label=${label ?? nothing}
  @change=${({currentTarget: at}: Event) => {
    const chosen = at instanceof HTMLSelectElement ? all[at.selectedIndex] : undefined;
    if (chosen) use(chosen[0]);
  }}
>
  ${all.map(([value, words]) => html`<option value=${String(value)} .selected=${value === now}>${words}</option>`)}
</select>`;
