// Follows changes that the page does not cause: the window's width, the scroll position, time.
import {sectionInView} from '../page/sections.ts';
import type {Width} from '../page/state.ts';
import type {Store} from './store.ts';

// Resizing a window must not draw the page at every pixel.
const steps = 40;

/** Follows the three layouts, and the approximate width of the window. */
export function watchWidth(store: Store): void {
  const wide = matchMedia('(width >= 1200px)');
  const narrow = matchMedia('(width < 760px)');
  const update = (): void => {
    const width: Width = wide.matches ? 'wide' : narrow.matches ? 'narrow' : 'medium';
    store.change('layout', {width, across: steps * Math.floor(innerWidth / steps)});
  };
  wide.addEventListener('change', update);
  narrow.addEventListener('change', update);
  addEventListener('resize', () => {
    if (Math.abs(innerWidth - store.state.layout.across - steps / 2) > steps / 2) update();
  });
  update();
}

/** Follows the section in view. */
export function watchScroll(store: Store): void {
  let waiting = false;
  const update = (): void => {
    waiting = false;
    const ids = [...document.querySelectorAll<HTMLAnchorElement>('nav.sections a')].map(a => a.hash.slice(1));
    const edges = ids.flatMap(id => {
      const element = document.getElementById(id);
      if (!element) return [];
      return [{id, top: element.getBoundingClientRect().top, focused: element.contains(document.activeElement)}];
    });
    const atEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const section = sectionInView(edges, innerHeight, atEnd);
    if (section !== store.state.page.section) store.change('page', {section});
  };
  document.addEventListener(
    'scroll',
    () => {
      if (!waiting) requestAnimationFrame(update);
      waiting = true;
    },
    {passive: true},
  );
}

/** A toast disappears by itself, one with Undo later. Without Undo, closed dumps are forgotten while others are open. */
export function listenToToasts(store: Store): void {
  let shown: string | null = null;
  let timer = 0;
  store.on(['messages', 'closed', 'dumps'], ({messages: {toast}, closed, dumps}) => {
    if (toast === null && closed !== null && dumps.length > 0) store.update({closed: null});
    if (toast === shown) return;
    shown = toast;
    clearTimeout(timer);
    if (toast !== null)
      timer = window.setTimeout(() => store.change('messages', {toast: null}), closed === null ? 5000 : 20_000);
  });
}
