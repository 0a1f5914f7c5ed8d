/** The contenthash of a name (ENSIP-7) as the URI that a browser would open. */
import { decode, getCodec } from "@ensdomains/content-hash";
import { type Hex, hexToString, size } from "viem";
import { harmlessText } from "../rules/ens_text.ts";

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
/** IPNS by a name in DNS (dag-pb, identity hash), which the library reads too, but warns of on stderr. */
const IPNS_BY_NAME = /^0xe5010170(?:00)[0-9a-f]{2}(?<name>(?:[0-9a-f]{2})+)$/i;
/** The longest honest one has under 100 bytes. */
const MAX_BYTES = 1_024;

/** The URI, the raw bytes of an unknown codec, or "" where there is none. */
export function contenthashText(contenthash: Hex): string {
  if (contenthash === "0x" || size(contenthash) > MAX_BYTES) return "";
  // Names and onion addresses are the owner's own bytes.
  return harmlessText(decodeUri(contenthash) ?? contenthash);
}

function decodeUri(contenthash: Hex): string | undefined {
  const name = IPNS_BY_NAME.exec(contenthash)?.groups?.name;
  if (name !== undefined) return `ipns://${hexToString(`0x${name}`)}`;
  try {
    const scheme = SCHEMES[getCodec(contenthash) ?? ""];
    return scheme && `${scheme}://${decode(contenthash)}`;
  } catch {
    // The library throws on bytes that are no contenthash at all; the owner may have written any.
    return undefined;
  }
}
