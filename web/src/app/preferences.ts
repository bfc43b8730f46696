// The settings that the page remembers: the theme, whether single keys work, and whether rows have
// arguments. No data of a dump.

/** The setting of this name; null if the browser keeps nothing. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`crashglass.${name}`);
  } catch {
    return null; // the browser refuses storage: the preference lasts as long as the tab
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`crashglass.${name}`, value);
  } catch {
    // as above
  }
}
