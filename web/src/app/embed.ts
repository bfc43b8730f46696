// The page inside of another one, at the address ?embed. The page around it may give it one dump.
//
// The parent sends a port, and the dump over the port. The port delivers nothing before it is started, which happens after the lock. The only answer
// is one of two words.
import type {InputFile} from '../engine/protocol.ts';
import type {Prepared} from '../privacy/prepare.ts';
import type {Open} from './open.ts';
import type {Store} from './store.ts';

/** A port from the page around this one. */
export interface Offer {
  readonly origin: string;
  readonly port: MessagePort;
}

export const isEmbedded = (): boolean => new URLSearchParams(location.search).has('embed');

/** The first port that the parent sends. Every other one is refused. It has to be called before the page has loaded, when the parent sends it. */
export const listenToParent = (): Promise<Offer> =>
  new Promise(resolve => {
    let isTaken = false;
    addEventListener('message', ({source, origin, ports: [port]}) => {
      if (!port) return;
      const isFirst = !isTaken && source === parent && parent !== window;
      isTaken ||= isFirst;
      (isFirst ? resolve : refuse)({origin, port});
    });
  });

export const refuse = ({port}: Pick<Offer, 'port'>): void => answer(port, 'refused');

function answer(port: MessagePort, word: 'shown' | 'refused'): void {
  port.postMessage(word);
  port.close();
}

/** Opens what the parent sends, once, if the host names the parent's origin. Called after the lock. */
export async function openEmbedded(
  parent: Promise<Offer> | null,
  prepared: Promise<Prepared>,
  store: Store,
  open: Open,
): Promise<void> {
  if (!parent) return;
  const [{origin, port}, {embed}] = await Promise.all([parent, prepared]);
  if (!embed.includes(origin)) return refuse({port});
  port.onmessage = async ({data}) => {
    port.onmessage = null;
    await open.add(filesOf(data) ?? []);
    answer(port, store.state.dumps.length > 0 ? 'shown' : 'refused');
  };
}

/** The files of a message: a list of {path, bytes}. null if it is anything else. */
export function filesOf(data: unknown): readonly InputFile[] | null {
  if (!Array.isArray(data)) return null;
  const files = data.flatMap(one => {
    const {path, bytes} = Object(one);
    const isFile = bytes instanceof Blob || bytes instanceof ArrayBuffer || ArrayBuffer.isView(bytes);
    return typeof path === 'string' && isFile ? [{path, file: new Blob([bytes as BlobPart])}] : [];
  });
  return files.length === data.length ? files : null;
}
