// More ways out of a page: elements that ask for something by themselves, and code from elsewhere.
import type {Way, Ways} from '../ways.ts';

const element = (tag: string, attribute: string, more: Readonly<Record<string, string>> = {}): [string, Way] => [
  `<${[tag, ...Object.values(more)].join(' ')}>`,
  // Sent as text, so that what it closes over has to stand in it.
  Reflect.construct(Function, [
    'url',
    `
      const made = document.createElement(${JSON.stringify(tag)});
      for (const [name, value] of Object.entries(${JSON.stringify(more)})) made.setAttribute(name, value);
      made.setAttribute(${JSON.stringify(attribute)}, url);
      document.head.append(made);`,
  ]) as Way,
];

export const elements: Ways = Object.fromEntries([
  element('object', 'data'),
  element('embed', 'src'),
  element('audio', 'src'),
  element('script', 'src'),
  element('link', 'href', {rel: 'stylesheet'}),
  element('link', 'href', {rel: 'preload', as: 'image'}),
  element('link', 'href', {rel: 'modulepreload'}),
  element('link', 'href', {rel: 'manifest'}),
]);

export const code: Ways = {
  'import()': Reflect.construct(Function, ['url', 'return import(url).catch(() => {})']) as Way,
  'a worker': url => new Worker(url),
};

/** Of the worker alone. */
export const inWorker: Ways = {
  importScripts: url => Reflect.get(globalThis, 'importScripts')(url),
  'a worker of the worker': url => new Worker(url),
};
