import { wantedRank } from "../rules/tables/tlds.ts";

/** What is looked up; without a label, nothing is. */
interface MaybeDomain {
  readonly tld: string;
  readonly label?: string;
}

/** Starts one look-up for each item, those of `WANTED_TLDS` first; returns their results in the order of the items. */
export function startLookUps<Item extends MaybeDomain, Result>(
  items: readonly Item[],
  lookUp: (item: Item) => Promise<Result>,
): Promise<Result>[] {
  const places = items.map((_, place) => place)
    .sort((a, b) => rankOf(items[a]) - rankOf(items[b]));
  const results: Promise<Result>[] = [];
  for (const place of places) results[place] = Promise.try(lookUp, items[place]!);
  return results;
}

function rankOf(item: MaybeDomain | undefined): number {
  return item?.label === undefined ? 0 : wantedRank(item.tld);
}
