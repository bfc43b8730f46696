// Light, dark, or as the system has it.

export type Theme = 'system' | 'light' | 'dark';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** The theme after this one: the button goes round. */
export const nextTheme = (theme: Theme): Theme => themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';

/** The stored theme, if it is one. */
export const asTheme = (kept: string | null): Theme => themes.find(theme => theme === kept) ?? 'system';
