// Where the focus goes: within a picture, of which one element takes the tab stop, and to a section.

/** Moves the focus between the elements of a picture that the selector finds. */
export function roving(event: KeyboardEvent, selector: string): void {
  const list = event.currentTarget;
  if (!(list instanceof Element)) return;
  const all = [...list.querySelectorAll<HTMLElement | SVGElement>(selector)];
  const at = all.findIndex(one => one.matches(':focus'));
  const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1}[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  all[Math.max(0, Math.min(to, all.length - 1))]?.focus();
}

/** What a key means by this table, and then nothing else; undefined for other keys, and with modifiers. */
export function byKey<T>(event: KeyboardEvent, table: Readonly<Record<string, T>>): T | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(table, event.key)) return undefined;
  event.preventDefault();
  return table[event.key];
}

/** Scrolls to a section, opens it and what it is in, and gives it the focus, for those who go on by keys. */
export function goToSection(id: string): void {
  const target = document.getElementById(id);
  const closed = target?.closest('details') ?? target?.querySelector<HTMLDetailsElement>(':scope > details');
  if (closed) closed.open = true;
  target?.scrollIntoView();
  target?.focus({preventScroll: true});
}

export function scrollToSection(event: Event, id: string): void {
  event.preventDefault();
  goToSection(id);
}

/** Gives an element the focus, and scrolls it into view. */
export function focusOn(element: Element | null | undefined, block: ScrollLogicalPosition = 'nearest'): void {
  if (element instanceof HTMLElement || element instanceof SVGElement) element.focus({preventScroll: true});
  element?.scrollIntoView({block, inline: 'nearest'});
}

/** What a key does on an element of a picture that acts as a button. */
export const onPress =
  (press: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    press();
  };
