// <crash-glass>: the page in an iframe, which gets a dump from the page around it.
import type {Answer, CrashGlassElement, NamedFile} from './element-api.ts';

class CrashGlass extends HTMLElement implements CrashGlassElement {
  show(files: readonly NamedFile[]): Promise<Answer> {
    const page = new URL(this.getAttribute('src') ?? '.', document.baseURI);
    page.searchParams.set('embed', '');
    const frame = document.createElement('iframe');
    frame.title = 'Crashglass';
    frame.style.cssText = 'display: block; width: 100%; height: 100%; border: 0';
    const answer = new Promise<Answer>(resolve => {
      frame.onload = () => {
        frame.onload = null;
        const {port1, port2} = new MessageChannel();
        port1.onmessage = ({data}) => resolve(data === 'shown' ? 'shown' : 'refused');
        frame.contentWindow?.postMessage(null, page.origin, [port2]);
        port1.postMessage(files);
      };
    });
    frame.src = page.href;
    this.replaceChildren(frame);
    return answer;
  }
}

customElements.define('crash-glass', CrashGlass);
