/** The contenthash of a name (ENSIP-7) as the URI that a browser would open. */
import { decode, getCodec } from "@ensdomains/content-hash";
import { type Hex, size } from "viem";

/** The codecs that are decoded, and their schemes. The library gives nonsense for those that it does not know. */
const SCHEMES: Readonly<Record<string, string>> = {
  ipfs: "ipfs",
  ipns: "ipns",
  swarm: "bzz",
  arweave: "ar",
  onion: "onion",
  onion3: "onion3",
  skynet: "sia",
};
/** The longest honest one has under 100 bytes. */
const MAX_BYTES = 1_024;

/** The URI, the raw bytes of an unknown codec, or "" where there is none. */
export function contenthashText(contenthash: Hex): string {
  if (contenthash === "0x" || size(contenthash) > MAX_BYTES) return "";
  try {
    const scheme = SCHEMES[getCodec(contenthash) ?? ""];
    return scheme === undefined ? contenthash : `${scheme}://${decode(contenthash)}`;
  } catch {
    // The library throws on bytes that are no contenthash at all; the owner may have written any.
    return contenthash;
  }
}
