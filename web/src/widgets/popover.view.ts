// A small sheet that a button opens: the browser's own popover, which closes on Esc and on a click elsewhere and gives the
// focus back. Only where it stands is ours: below its button, and inside the window.
import './popover.css';
import {html, type TemplateResult} from 'lit-html';

const gap = 4;
const margin = 8;

/** The button of the popover with this id. */
export const popoverButton = (id: string, classes: string, content: TemplateResult): TemplateResult =>
  html`<button class=${classes} id="${id}-button" popovertarget="${id}-popover" aria-haspopup="dialog">${content}</button>`;

export const popover = (id: string, content: TemplateResult): TemplateResult =>
  html`<div class="popover" id="${id}-popover" popover tabindex="0" @beforetoggle=${opening} @click=${capturing} @keydown=${arrows}>${content}</div>`;

/** The dialog with this id, if it is on the page. */
export const dialog = (id: string): HTMLDialogElement | null => document.querySelector(`dialog#${id}`);

/** A line of a menu. */
export const item = (words: string, go: () => void): TemplateResult =>
  html`<li><button class="link tap" @click=${go}>${words}</button></li>`;

/** Opens or closes a popover from a key. */
export function togglePopover(id: string): void {
  const sheet = document.getElementById(`${id}-popover`);
  const button = document.getElementById(`${id}-button`);
  if (!sheet || !button) return;
  if (sheet.matches(':popover-open')) sheet.hidePopover();
  else button.click();
}

/** Opens a popover at the height of an element: to its left where there is room, else below it. */
export function showBeside(id: string, at: HTMLElement): void {
  const sheet = document.getElementById(`${id}-popover`);
  if (!sheet) return;
  if (!sheet.matches(':popover-open')) sheet.showPopover();
  const row = at.getBoundingClientRect();
  const size = sheet.getBoundingClientRect();
  const isBeside = row.left - gap - size.width >= margin;
  const below = row.bottom + gap + size.height <= innerHeight - margin;
  const top = isBeside
    ? Math.min(row.top, innerHeight - margin - size.height)
    : below
      ? row.bottom + gap
      : row.top - gap - size.height;
  const left = isBeside ? row.left - gap - size.width : Math.min(row.left, innerWidth - margin - size.width);
  sheet.style.setProperty('top', `${Math.max(margin, top)}px`);
  sheet.style.setProperty('left', `${Math.max(margin, left)}px`);
}

/** A window that is turned or resized must not leave its popovers where they were. */
export function watchPopovers(): void {
  addEventListener('resize', () => {
    for (const sheet of document.querySelectorAll<HTMLElement>('.popover:popover-open')) place(sheet);
  });
}

function opening(event: ToggleEvent): void {
  const sheet = event.currentTarget;
  if (event.newState !== 'open' || !(sheet instanceof HTMLElement)) return;
  requestAnimationFrame(() => {
    place(sheet);
    (sheet.querySelector<HTMLElement>('button, a') ?? sheet).focus();
  });
}

function place(sheet: HTMLElement): void {
  const button = document.getElementById(sheet.id.replace(/-popover$/, '-button'));
  if (!button) return;
  const at = button.getBoundingClientRect();
  const size = sheet.getBoundingClientRect();
  const below = at.bottom + gap + size.height <= innerHeight - margin;
  const top = below ? at.bottom + gap : Math.max(margin, at.top - gap - size.height);
  const left = Math.max(margin, Math.min(at.left, innerWidth - margin - size.width));
  sheet.style.setProperty('top', `${top}px`);
  sheet.style.setProperty('left', `${left}px`);
}

// A menu closes after a choice; a sheet to read stays open. It closes before the choice takes effect, because a dialog that opens returns the focus to the
// element that has it then.
function picked(event: Event): void {
  const sheet = event.currentTarget;
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (sheet instanceof HTMLElement && button?.closest('.menu')) sheet.hidePopover();
}

const capturing = {handleEvent: picked, capture: true};

function arrows(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const sheet = event.currentTarget;
  if (step === 0 || !(sheet instanceof HTMLElement)) return;
  const items = [...sheet.querySelectorAll<HTMLElement>('button, a')];
  const at = items.findIndex(item => item.matches(':focus'));
  items[(at + step + items.length) % items.length]?.focus();
  event.preventDefault();
}
