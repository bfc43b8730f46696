// Files that the system opens with the page: from its file manager, and by its share sheet.
import type {InputFile} from '../engine/protocol.ts';
import type {FromServiceWorker, ToServiceWorker} from './messages.ts';

/** Part of the File Handling API that TypeScript's types lack. */
declare global {
  interface Window {
    readonly launchQueue?: {setConsumer(consumer: (launch: {files?: readonly FileSystemFileHandle[]}) => void): void};
  }
}

/** Calls back with the files of each launch, also of launches before this call. */
export function listenToLaunches(
  open: (files: readonly InputFile[], handles: readonly FileSystemFileHandle[]) => void,
): void {
  const pass = (files: readonly File[], handles: readonly FileSystemFileHandle[] = []): void => {
    if (files.length > 0) {
      open(
        files.map(file => ({path: file.name, file})),
        handles,
      );
    }
  };
  window.launchQueue?.setConsumer(({files = []}) => {
    void Promise.all(files.map(handle => handle.getFile())).then(all => pass(all, files));
  });
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return;
  navigator.serviceWorker.addEventListener('message', ({data}: MessageEvent<FromServiceWorker>) => {
    if (data.kind === 'files') pass(data.files);
  });
  const message: ToServiceWorker = {kind: 'shared'};
  worker.postMessage(message);
}
