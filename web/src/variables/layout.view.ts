// The bar below an open object: the width of a part is its size. The rows below say the same, with offsets.
import './layout.css';
import {html, nothing, svg, type TemplateResult} from 'lit-html';
import type {Variable} from '../report.ts';
import {counted} from '../text/text.ts';
import {layout, type Segment} from './layout.ts';

export const layoutBar = (variable: Variable, touched: readonly bigint[]): TemplateResult | typeof nothing => {
  const found = layout(variable, touched);
  if (found === null) return nothing;
  const {segments, shown, size, padding} = found;
  return html`<div class="object" aria-hidden="true">
    <svg width="100%" height="38">${segments.map(segment => shape(segment, shown))}</svg>
    <span class="quiet">${counted(size, 'byte')}${padding > 0 ? `, ${padding} of padding` : ''}${shown < size ? `; ${shown} are shown` : ''}</span>
  </div>`;
};

// A text in a part that is narrower is left out.
const leastShare = 5;

const shape = ({kind, at, bytes, text, offset}: Segment, shown: number): TemplateResult => {
  const [x, width] = [(100 * at) / shown, (100 * bytes) / shown];
  const words = width < leastShare ? '' : text;
  return svg`<svg x="${x}%" width="${width}%" height="38" class=${kind}>
    ${kind === 'padding' ? svg`<line x1="2" x2="100%" y1="12" y2="12"></line>` : svg`<rect x="1" y="1" width="100%" height="22"></rect>`}
    <text x="50%" y="16" class="value">${words}</text>
    <text x="1" y="35">${width < leastShare ? '' : offset}</text>
  </svg>` as TemplateResult;
};
