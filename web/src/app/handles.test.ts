import {expect, test} from 'vitest';
import {createPicker, type Handle} from './handles.ts';

const handle = {name: 'a.dmp'} as Handle;

test('files and folders come as handles', async () => {
  const picker = createPicker({showOpenFilePicker: async () => [handle], showDirectoryPicker: async () => handle});
  expect([await picker.pick(false), await picker.pick(true)]).toEqual([[handle], [handle]]);
});

test('browsers without these dialogs show the ordinary one', () => expect(createPicker({}).pick(false)).toBeNull());

test('after a dialog without an answer, the ordinary one is shown once', async () => {
  const picker = createPicker({showOpenFilePicker: () => Promise.reject(new DOMException('aborted', 'AbortError'))});
  expect(await picker.pick(false)).toEqual([]);
  expect(picker.pick(false)).toBeNull();
  expect(await picker.pick(false)).toEqual([]);
});
