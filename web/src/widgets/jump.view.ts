// Jumps within the page. The fragment holds the selection, so they scroll without touching it.

/** Scrolls to a section and gives it the focus, for those who go on by keys. */
export function scrollToSection(event: Event, id: string): void {
  event.preventDefault();
  const target = document.getElementById(id);
  target?.scrollIntoView();
  target?.focus({preventScroll: true});
}
