// The splitter between the stack and the inspector: dragged, moved by keys, and set to half and half by a double click.
import './split.css';
import {html, type TemplateResult} from 'lit-html';
import type {Actions} from '../app/actions.ts';
import {afterKey, within} from './split.ts';

export const splitter = (share: number, act: Actions): TemplateResult => html`
  <div
    class="splitter"
    role="separator"
    tabindex="0"
    aria-orientation="vertical"
    aria-label="Width of the stack"
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${Math.round(share * 100)}
    @pointerdown=${grab}
    @pointermove=${(event: PointerEvent) => drag(event, act)}
    @dblclick=${() => act.split(0.5)}
    @keydown=${(event: KeyboardEvent) => key(event, share, act)}
  ></div>
`;

function grab(event: PointerEvent): void {
  if (event.button === 0 && event.currentTarget instanceof HTMLElement)
    event.currentTarget.setPointerCapture(event.pointerId);
}

const whole = (target: EventTarget | null): DOMRect | null =>
  target instanceof HTMLElement ? (target.parentElement?.getBoundingClientRect() ?? null) : null;

function drag(event: PointerEvent, act: Actions): void {
  const target = event.currentTarget;
  const around = whole(target);
  if (!around || !(target instanceof HTMLElement) || !target.hasPointerCapture(event.pointerId)) return;
  act.split(within((event.clientX - around.left) / around.width, around.width));
}

function key(event: KeyboardEvent, share: number, act: Actions): void {
  const next = afterKey(event.key, share, whole(event.currentTarget)?.width ?? 0);
  if (next === null) return;
  event.preventDefault();
  act.split(next);
}
