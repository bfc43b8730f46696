// How certain a function's name is, in words, and its mark.

/** Why a name of that certainty may be wrong; null if it is proved, or if there is none. */
export function nameDoubt(certainty: string): string | null {
  if (certainty === 'forced') return 'names from mismatched symbols';
  return certainty === 'nearest' ? 'nearest symbol, may be another function' : null;
}

/** The mark of a name that may be wrong. */
export const tilde = '~ ';

/** The mark of a name of that certainty, if it needs one. */
export const nameMark = (certainty: string): string => (nameDoubt(certainty) === null ? '' : tilde);
