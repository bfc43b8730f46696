// The global object of a service worker, as far as it is used here: TypeScript's libraries declare either this or a window.
import type {FromServiceWorker, ToServiceWorker} from './messages.ts';

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

export interface Fetch extends Lasting {
  readonly request: Request;
  /** Of the page that a navigation opens; "" for other requests. */
  readonly resultingClientId: string;
  respondWith(response: Promise<Response>): void;
}

interface ExtendableMessageEvent extends Lasting {
  /** Any page of the host can send anything. */
  readonly data: Partial<ToServiceWorker> | null | undefined;
  /** Workers and ports have no URL here. */
  readonly source: (Client & {readonly url: string | undefined}) | null;
}

export interface Client {
  readonly id: string;
  readonly url: string;
  postMessage(message: FromServiceWorker, transfer?: Transferable[]): void;
}

export interface Scope {
  readonly registration: {readonly scope: string; readonly active: unknown};
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options?: {includeUncontrolled: boolean}): Promise<readonly Client[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', handle: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', handle: (event: Fetch) => void): void;
  addEventListener(type: 'message', handle: (event: ExtendableMessageEvent) => void): void;
}
