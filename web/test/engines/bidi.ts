// A client of WebDriver BiDi (https://w3c.github.io/webdriver-bidi/): commands and their results as JSON over a WebSocket.
//
// puppeteer-core and webdriverio speak it, too, and bring 78 and more packages for a dozen commands. ws brings none, and Node 20 has no WebSocket of its own.
import WebSocket from 'ws';

interface Message {
  readonly id?: number;
  readonly type: 'success' | 'error' | 'event';
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class BiDi {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', data => this.#hear(JSON.parse(String(data)) as Message));
    socket.on('close', () => this.#fail(new Error('the browser closed the connection')));
    socket.on('error', error => this.#fail(error));
  }

  static connect(url: string): Promise<BiDi> {
    const socket = new WebSocket(url, {perMessageDeflate: false, maxPayload: 1 << 30});
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(new BiDi(socket)));
      socket.once('error', reject);
    });
  }

  send<R>(method: string, params: object): Promise<R> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {resolve: result => resolve(result as R), reject});
      this.#socket.send(JSON.stringify({id, method, params}));
    });
  }

  close(): void {
    this.#socket.close();
  }

  #hear({id, type, result, error, message}: Message): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || !waiting) return;
    this.#waiting.delete(id);
    if (type === 'success') waiting.resolve(result);
    else waiting.reject(new Error(`${error}: ${message}`));
  }

  #fail(error: Error): void {
    for (const {reject} of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
