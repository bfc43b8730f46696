// Keys as WebDriver writes them: https://www.w3.org/TR/webdriver2/#keyboard-actions.

const CODES: Readonly<Record<string, string>> = {
  Enter: '\ue007',
  Tab: '\ue004',
  Escape: '\ue00c',
  ' ': ' ',
  ArrowLeft: '\ue012',
  ArrowUp: '\ue013',
  ArrowRight: '\ue014',
  ArrowDown: '\ue015',
  End: '\ue010',
  Home: '\ue011',
};

/** The actions that press keys one after the other. */
export function keyActions(keys: readonly string[]): object[] {
  const actions = keys.flatMap(key => {
    const value = CODES[key] ?? key;
    if ([...value].length !== 1) throw new Error(`no code for the key ${key}`);
    return [
      {type: 'keyDown', value},
      {type: 'keyUp', value},
    ];
  });
  return [{type: 'key', id: 'keyboard', actions}];
}
