/** Control and formatting characters: a terminal obeys them. */
export const COMMANDS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const LONGEST = 300;

/** A stranger's text for a terminal, which it could otherwise steer: no control or formatting characters. */
export function plain(text: string): string {
  const shown = text.replace(COMMANDS, "\uFFFD");
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
}
