// A client of WebDriver (https://www.w3.org/TR/webdriver2/): commands as JSON over HTTP.

/** The name of the field that holds an element's reference, by the standard. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

export type Element = Readonly<Record<typeof ELEMENT, string>>;

export const referenceOf = (element: Element): string => element[ELEMENT];

export class WebDriver {
  readonly #base: string;
  #session = '';

  /** A driver by the address that it listens on. */
  constructor(base: string) {
    this.#base = base;
  }

  /** Starts a browser and returns what it says of itself. */
  async begin(capabilities: object): Promise<{readonly browserVersion: string}> {
    const begun = await this.#send<{sessionId: string; capabilities: {browserVersion: string}}>('POST', '/session', {
      capabilities: {alwaysMatch: capabilities},
    });
    this.#session = `/session/${begun.sessionId}`;
    return begun.capabilities;
  }

  send<R>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<R> {
    return this.#send(method, this.#session + path, body);
  }

  async #send<R>(method: string, path: string, body?: object): Promise<R> {
    const init = body === undefined ? {method} : {method, body: JSON.stringify(body)};
    const response = await fetch(this.#base + path, {...init, headers: {'Content-Type': 'application/json'}});
    const {value} = (await response.json()) as {value: R & {error?: string; message?: string}};
    if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  }
}
