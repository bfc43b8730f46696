// Whether a part is drawn, asked of the directive itself: what it draws is drawn by others.
import {noChange, nothing} from 'lit-html';
import {type PartInfo, PartType} from 'lit-html/directive.js';
import {beforeEach, expect, test} from 'vitest';
import type {Actions} from '../app/actions.ts';
import {initial, type State} from '../app/state.ts';
import {createRounds} from '../app/turns.ts';
import {part, type View} from './part.view.ts';

type Subject = {readonly id: number};

const dump: Subject = {id: 1};
const act = {} as Actions;
const rounds = createRounds();

let drawn: string[] = [];
beforeEach(() => {
  drawn = [];
});

/** Draws the filter, and with it nothing else of the state. */
const view: View<Subject, 'threads'> = state => {
  drawn.push(state.threads.filter);
  return `drawn for ${state.threads.filter}`;
};

/** The place of a part in a page, and what becomes of it when the page is drawn. */
function place(): (state: State, dump: Subject, turns?: typeof rounds) => unknown {
  const {_$litDirective$: Part} = part(['threads'], view, initial, dump, act) as {
    _$litDirective$: new (info: PartInfo) => {render(...values: unknown[]): unknown};
  };
  const own = new Part({type: PartType.CHILD});
  return (state, dump, turns) => own.render(['threads'], view, state, dump, act, turns ?? null);
}

test('is drawn again when its subject or a part that is named is another, and only then', () => {
  const draw = place();
  expect(draw(initial, dump)).toBe('drawn for ');
  expect(
    draw({...initial, messages: {...initial.messages, toast: 'Copied'}, place: null, opened: new Set()}, dump),
  ).toBe(noChange);
  expect(draw({...initial, threads: {...initial.threads, filter: 'main'}}, dump)).toBe('drawn for main');
  expect(draw({...initial, threads: {...initial.threads, filter: 'main'}}, {...dump})).toBe('drawn for main');
  expect(drawn).toEqual(['', 'main', 'main']);
});

test('that is new waits for a turn, the first of those that wait with room for all', () => {
  const [first, second] = [place(), place()];
  rounds.begin(0);
  expect(first(initial, dump, rounds)).toMatchObject({strings: ['<div class="pending"></div>']});
  expect(second(initial, dump, rounds)).toBe(nothing);
  expect(rounds.waiting).toBe(true);
  rounds.begin(1);
  expect(first(initial, dump, rounds)).toBe('drawn for ');
  expect(second(initial, dump, rounds)).toMatchObject({strings: ['<div class="pending"></div>']});
  rounds.begin(1);
  expect(first(initial, dump, rounds)).toBe(noChange);
  expect(second(initial, dump, rounds)).toBe('drawn for ');
  expect(rounds.waiting).toBe(false);
});

test('shows what it showed while a report that changed waits', () => {
  const draw = place();
  draw(initial, dump);
  const changed = {...dump};
  rounds.begin(0);
  expect(draw(initial, changed, rounds)).toBe(noChange);
  rounds.begin(1);
  expect(draw(initial, changed, rounds)).toBe('drawn for ');
});

test('never shows another dump while it waits', () => {
  const draw = place();
  draw(initial, dump);
  rounds.begin(0);
  expect(draw(initial, {id: 2}, rounds)).toMatchObject({strings: ['<div class="pending"></div>']});
  expect(draw(initial, dump, rounds)).not.toBe(noChange);
});

test('an action of the user is drawn without waiting for a turn', () => {
  const draw = place();
  rounds.begin(1);
  draw(initial, dump, rounds);
  rounds.begin(0);
  expect(draw({...initial, threads: {...initial.threads, filter: 'main'}}, dump, rounds)).toBe('drawn for main');
  expect(rounds.waiting).toBe(false);
});
