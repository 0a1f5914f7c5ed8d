/** The progress line: how far, how fast, how long still. */

/** How a run stands. */
export interface Standing {
  done: number;
  /** Undefined where nobody knows how much is to come. */
  total: number | undefined;
  /** At present; undefined where nothing was done lately. */
  perSecond: number | undefined;
}

const SHORTEST_BAR = 8;
const LONGEST_BAR = 30;

/**
 * Draws the line in less than `columns`: what would wrap could not be wiped away. In ASCII, because terminals disagree
 * on how wide the usual blocks are. What fits less is left out, the count last.
 */
export function drawProgress(standing: Standing, columns: number): string {
  const facts = factsOf(standing);
  while (facts.length > 1 && facts.join("  ").length >= columns) facts.pop();
  const line = facts.join("  ");
  const bar = barOf(standing, columns - line.length - 4);
  return `${bar}${line}`.slice(0, Math.max(0, columns - 1));
}

/** From the most to the least important. */
function factsOf({ done, total, perSecond }: Standing): string[] {
  const facts = [total === undefined ? `${done} checked` : `${done}/${total} checked`];
  if (perSecond === undefined) return facts;
  facts.push(`${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`);
  if (total !== undefined) facts.push(`${clock((total - done) / perSecond)} left`);
  return facts;
}

function barOf({ done, total }: Standing, room: number): string {
  if (total === undefined || room < SHORTEST_BAR) return "";
  const width = Math.min(room, LONGEST_BAR);
  const full = total === 0 ? width : Math.floor(Math.min(1, done / total) * width);
  return `[${"=".repeat(full)}${" ".repeat(width - full)}] `;
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const tail = `${whole % 60}`.padStart(2, "0");
  return hours > 0 ? `${hours}:${`${minutes}`.padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}
