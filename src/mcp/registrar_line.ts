/** A registrar's offer on one line, for clients that show text only. */
export function registrarLine(
  { name, url, estimatedPrice }: { name: string; url: string; estimatedPrice?: number | undefined },
): string {
  return estimatedPrice === undefined
    ? `${name} ${url}`
    : `${name} ${url} about $${estimatedPrice} for the first year`;
}
