// The memory map as a picture. The list beside it has the same in words and numbers.
import {selected} from '../app/selected.ts';
import './map.css';
import {html, nothing, svg, type TemplateResult} from 'lit-html';
import {guard} from 'lit-html/directives/guard.js';
import type {Actions} from '../app/actions.ts';
import type {OpenDump, State} from '../app/state.ts';
import {hex} from '../text/hex.ts';
import {memo} from '../text/maps.ts';
import {counted, visibleRow} from '../text/text.ts';
import {onPress, roving} from '../widgets/focus.ts';
import {type Box, mapWidth, type Picture, type Pin, picture} from './map.ts';

type Seen = Pick<State, 'dumps' | 'place'>;

const pictureOf = memo(picture);

export const map = (state: Seen, dump: OpenDump, act: Actions): TemplateResult | typeof nothing => {
  const found = selected(state);
  const drawn = pictureOf(dump.report, found?.frame ?? null);
  if (drawn.boxes.length === 0) return nothing;
  // Moving through a stack moves at most three pins.
  return html`${guard([drawn], () => drawing(drawn, dump, act))}`;
};

// The picture is as wide as the page and of one height: horizontal positions are shares of the width.
const share = (units: number): string => `${Math.round((units / mapWidth) * 1e5) / 1e3}%`;

const drawing = (drawn: Picture, dump: OpenDump, act: Actions): TemplateResult => html`
    <div class="map">
      <div class="drawing">
      <svg height="76" role="group" aria-label=${summary(dump, drawn)} @keydown=${(event: KeyboardEvent) => roving(event, 'g[role=button]')} @focusin=${pointAt} @pointerover=${pointAt}>
        <defs>
          <pattern id="map-code" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="code-back" width="6" height="6"></rect>
            <rect class="code-line" width="2" height="6"></rect>
          </pattern>
        </defs>
        ${(drawn.gapWidth < 10 ? [] : drawn.gaps).map(x => svg`<text class="gap" x=${share(x)} y="38">···</text>`)}
        ${drawn.boxes.map((box, i) => boxShape(box, i, act))} ${drawn.pins.map(pin => pinShape(pin, dump))}
        ${drawn.labels.map(label => svg`<svg aria-hidden="true" x=${share(label.x)} y="58" width=${share(label.width)} height="18"><text class="label" y="13">${visibleRow(label.text)}</text></svg>`)}
      </svg>
      </div>
      <p class="map-name" aria-hidden="true"></p>
      <ul class="map-key" aria-label="What the picture shows">
        <li><span class="key read"></span>read</li>
        <li><span class="key write"></span>write</li>
        <li><span class="key code"></span>code</li>
        <li><span class="key bar"></span>in the dump</li>
        ${drawn.pins.map(pin => html`<li><span class=${pinClass(pin, dump)}>${pin.what === 'fault' ? '◆' : '▼'}</span> ${pinWords(pin)} <code>${hex(pin.address)}</code></li>`)}
      </ul>
    </div>
  `;

// One box takes the tab stop; the arrow keys go on from there.
const boxShape = (box: Box, i: number, act: Actions): TemplateResult => svg`
  <g
    role="button"
    tabindex=${i === 0 ? 0 : -1}
    aria-label=${boxWords(box)}
    @click=${() => act.bytes.show(box.base)}
    @keydown=${onPress(() => act.bytes.show(box.base))}
  >
    <rect class=${`box ${box.fill}`} x=${share(box.x)} y="20" width=${share(box.width)} height="28"></rect>
    ${box.captured ? svg`<rect class="bar" x=${share(box.x)} y="51" width=${share(box.width)} height="4"></rect>` : nothing}
  </g>
`;

// The name of the box under the pointer or with the focus, written without drawing the page again.
function pointAt(event: Event): void {
  const box = event.target instanceof Element ? event.target.closest('g[role=button]') : null;
  const name = box?.closest('.map')?.querySelector('.map-name');
  if (name) name.textContent = box?.getAttribute('aria-label') ?? '';
}

const protections = {none: 'no access', read: 'read', write: 'read and write', code: 'code'} as const;

const boxWords = (box: Box): string => {
  const name = box.name === '' ? '' : `${visibleRow(box.name)}, `;
  const many = box.regions === 1 ? protections[box.fill] : counted(box.regions, 'region');
  return `${name}${many}, ${hex(box.base)} to ${hex(box.end)}${box.captured ? ', in the dump' : ''}`;
};

const pinShape = (pin: Pin, dump: OpenDump): TemplateResult =>
  svg`<svg class="at" aria-hidden="true" x=${share(pin.x)}><path class=${pinClass(pin, dump)} d=${pin.what === 'fault' ? diamond : triangle}></path></svg>`;

const diamond = 'M0 4 l6 7 l-6 7 l-6 -7 z';
const triangle = 'M-5 9 h10 l-5 9 z';

// Without a crash there is no red on the page.
const pinClass = (pin: Pin, dump: OpenDump): string =>
  pin.what === 'fault' && dump.report.verdict.crashed ? 'pin fault' : 'pin';

const pinWords = (pin: Pin): string => ({fault: 'fault', pc: 'this frame', sp: 'its stack'})[pin.what];

function summary({report}: OpenDump, {boxes, pins}: Picture): string {
  const captured = boxes.filter(b => b.captured).length;
  const places = pins.map(pin => {
    const at = boxes.find(b => pin.address >= b.base && pin.address < b.end);
    return `${pinWords(pin)} at ${hex(pin.address)}, ${at ? `in ${visibleRow(at.name) || 'a region'}` : 'in no region'}`;
  });
  const count = counted(report.memory_regions?.length ?? 0, 'region');
  return [`Memory map: ${count}, ${captured} with bytes in the dump`, ...places].join('; ');
}
