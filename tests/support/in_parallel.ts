/** Runs `run` for each item, so many at a time, and returns the results in the order of the items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const work = async () => {
    for (const [place, item] of left) results[place] = await run(item);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
