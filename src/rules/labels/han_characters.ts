/** Han characters of the character sets on which registries based their Chinese and Japanese tables. */
import { HAN_VARIANTS } from "./han_variants.ts";

/** The Han characters allowed in Chinese and in Japanese names, and those of them with a variant. */
interface HanCharacters {
  readonly chinese: ReadonlySet<string>;
  readonly japanese: ReadonlySet<string>;
  readonly variants: ReadonlySet<string>;
}

let read: HanCharacters | undefined;

/**
 * Chinese: GB 2312 and Big5, all of which the tables of CNNIC and TWNIC hold. Japanese: levels 1 and 2 of JIS X 0208, of
 * JPRS' table. Both were compared with ICANN's reference rules (2022-05-31) and Google Registry's tables, which lack \u5338 only.
 * Decoded once, when the first Han character is judged.
 */
export function hanCharacters(): HanCharacters {
  return read ??= {
    chinese: new Set([
      ...decode("gbk", [[0xb0, 0xf7]], [[0xa1, 0xfe]]),
      ...decode("big5", [[0xa4, 0xc6], [0xc9, 0xf9]], [[0x40, 0x7e], [0xa1, 0xfe]]),
    ].filter((character) => character !== "\u5338")),
    japanese: decode("euc-jp", [[0xb0, 0xf4]], [[0xa1, 0xfe]]),
    variants: new Set(HAN_VARIANTS),
  };
}

type ByteRange = readonly [first: number, last: number];

/** The ideographs that an encoding of two bytes has in ranges of the first byte and of the second. */
function decode(
  encoding: string,
  firsts: readonly ByteRange[],
  seconds: readonly ByteRange[],
): Set<string> {
  // A space after each pair: an unassigned pair would otherwise take the next one's first byte.
  const bytes = firsts.flatMap(numbers).flatMap((first) =>
    seconds.flatMap(numbers).flatMap((second) => [first, second, 0x20])
  );
  const text = new TextDecoder(encoding).decode(Uint8Array.from(bytes));
  return new Set(text.match(/\p{Unified_Ideograph}/gu));
}

function numbers([first, last]: ByteRange): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
