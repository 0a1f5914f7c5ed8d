/** Finds the word that a misspelt one was meant to be. */

/** The shortest word that is compared: of two letters almost any are one slip apart. */
const MIN_LENGTH = 3;

/**
 * The known word that `word` misses by one slip: a character too many or too few, another one, two swapped, or the case of
 * letters. Undefined if there is none, or if the word itself is known.
 */
export function nearMissOf(word: string, known: readonly string[]): string | undefined {
  if (word.length < MIN_LENGTH || known.includes(word)) return undefined;
  const text = word.toLowerCase();
  return known.find((one) => one === text) ?? known.find((one) => isOneSlip(text, one));
}

function isOneSlip(a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const restA = a.slice(same);
  const restB = b.slice(same);
  const swapped = restA.slice(0, 2) === [...restB.slice(0, 2)].reverse().join("");
  return restA.slice(1) === restB || restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    swapped && restA.slice(2) === restB.slice(2);
}
