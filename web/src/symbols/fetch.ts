// Shell commands that fetch symbol files. The page itself fetches nothing: the commands are text, for users of a symbol
// server.
//
// core/report/render/fetch.go writes the same lines for such a server, in PowerShell's form for a dump of Windows. Names come from
// the dump, and its maker may want the user to run something else. So the path is quoted for the shell, and escaped for the
// address by RFC 3986.

/** The command for one file of a symbol store; null for a path that is unsafe to type. */
export function fetchLine(path: string): string | null {
  if (!isHarmless(path)) return null;
  const file = `symbols/${path}`.replaceAll("'", "'\\''");
  return `curl -fL --create-dirs -o '${file}' "$SYMBOL_SERVER/${urlPath(path)}"`;
}

/** Whether a path shows as what it is and leads to no other folder. */
export const isHarmless = (path: string): boolean =>
  path !== '' && !`/${path}/`.includes('/../') && !harmful.test(path);

// Control characters, what changes the direction of text, what is not seen, and halves of characters.
const harmful = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A path as RFC 3986 spells it. */
export const urlPath = (path: string): string =>
  encodeURIComponent(path)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
