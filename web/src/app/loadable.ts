// Values that the engine or the browser is requested for.
import {messageOf} from '../text/text.ts';

/** A requested value: pending, failed, or there. */
export type Loadable<T> =
  | {readonly state: 'waiting'}
  | {readonly state: 'failed'; readonly why: string}
  | {readonly state: 'done'; readonly value: T};

/** Passes on the states of a request: first waiting, then the value or the reason of the failure. */
export function load<T>(request: Promise<T>, put: (now: Loadable<T>) => void): void {
  put({state: 'waiting'});
  settle(request, put);
}

/** The same for a request in whose place an older value is shown. */
export function settle<T>(request: Promise<T>, put: (now: Loadable<T>) => void): void {
  request.then(
    value => put({state: 'done', value}),
    error => put({state: 'failed', why: messageOf(error)}),
  );
}
