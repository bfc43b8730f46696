// Which rows of a stack are the program's own: the code that the user can change, and looks for first.
import {type FrameRow, place} from './frames.ts';

/** In a module that is not the system's, and not a piece of a library's header that was inlined. */
export function isOwn(row: FrameRow): boolean {
  if (row.frame.is_system || row.frame.module === null) return false;
  return row.inline === null || !headers.test(place(row).file ?? '');
}

// Where compilers keep the headers of the standard library, whose functions are inlined everywhere.
const headers = /^\/usr\/include\/|\/include\/c\+\+\/|\\include\\|^\/rustc\//i;
