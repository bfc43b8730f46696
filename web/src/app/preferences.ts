// What the page remembers: the theme, whether single keys work, and whether rows have arguments. Nothing of any dump.

/** What was kept under this name; null where the browser keeps nothing. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`crashglass.${name}`);
  } catch {
    return null; // storage is refused to this page: the preference lasts as long as the tab
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`crashglass.${name}`, value);
  } catch {
    // as above
  }
}
