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
const VARINT = "(?:[89a-f].)*[0-7].";
/** Numbers may be written longer than need be. */
const [ZERO, ONE] = ["(?:80)*00", "(?:01|81(?:80)*00)"];
/** IPNS whose CID (of version 0 or 1) holds its bytes as they are, and not a hash of them. */
const IPNS_IDENTITY = new RegExp(
  `^0xe5${ONE}(?:${ZERO}|${ONE})(?<codec>${VARINT})${ZERO}${VARINT}(?<held>(?:..)*)$`,
  "i",
);
/** The codec of names in DNS (dag-pb), which may be long. */
const NAMES = "70";
/** What holds less is no public key, but a name: the library reads it too, but warns of it on stderr. */
const SHORTEST_KEY_BYTES = 36;
/** The longest honest one has under 100 bytes. */
const MAX_BYTES = 1_024;

/** The URI, the raw bytes of an unknown codec, or "" where there is none. */
export function contenthashText(contenthash: Hex): string {
  if (contenthash === "0x" || size(contenthash) > MAX_BYTES) return "";
  // Names and onion addresses are the owner's own bytes.
  return harmlessText(decodeUri(contenthash) ?? contenthash);
}

function decodeUri(contenthash: Hex): string | undefined {
  const name = readIpnsName(contenthash);
  if (name !== undefined) return `ipns://${name}`;
  try {
    const scheme = SCHEMES[getCodec(contenthash) ?? ""];
    return scheme && `${scheme}://${decode(contenthash)}`;
  } catch {
    // The library throws on bytes that are no contenthash at all; the owner may have written any.
    return undefined;
  }
}

function readIpnsName(contenthash: Hex): string | undefined {
  const { codec, held } = IPNS_IDENTITY.exec(contenthash)?.groups ?? {};
  if (held === undefined) return undefined;
  const isName = codec === NAMES || held.length < 2 * SHORTEST_KEY_BYTES;
  return isName ? hexToString(`0x${held}`) : undefined;
}
