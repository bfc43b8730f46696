// One element of a picture takes the tab stop, and the arrow keys go on from there.

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
