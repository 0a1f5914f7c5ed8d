/** Decodes the contenthash of a name (ENSIP-7) to a URI. */
import { decode, getCodec } from "@ensdomains/content-hash";
import { type Hex, hexToString, size } from "viem";
import { harmlessText } from "../rules/ens.ts";

/** The supported codecs, and URI schemes of another name. The library returns nonsense for codecs that it does not know. */
const CODECS = ["ipfs", "ipns", "swarm", "arweave", "onion", "onion3", "skynet"];
const SCHEMES: Readonly<Record<string, string>> = { swarm: "bzz", arweave: "ar", skynet: "sia" };
const VARINT = "(?:[89a-f].)*[0-7].";
/** Varints may have leading zero groups. */
const [ZERO, ONE] = ["(?:80)*00", "(?:01|81(?:80)*00)"];
/**
 * IPNS whose CID (version 0 or 1) uses the identity hash: it holds the bytes themselves. Linear: anchored, and a varint
 * ends at its first byte below 80.
 */
const IPNS_IDENTITY = new RegExp(
  `^0xe5${ONE}(?:${ZERO}|${ONE})(?<codec>${VARINT})${ZERO}${VARINT}(?<held>(?:..)*)$`,
  "i",
);
/** The codec of DNS names (dag-pb), which may be long. */
const NAMES = "70";
/** Fewer bytes are a name and not a public key: the library reads it too, but warns on stderr. */
const SHORTEST_KEY_BYTES = 36;
/** The longest real one has under 100 bytes. */
const MAX_BYTES = 1_024;

/** The URI; the raw bytes if the codec is unknown; "" without a contenthash. */
export function contenthashText(contenthash: Hex): string {
  if (contenthash === "0x" || size(contenthash) > MAX_BYTES) return "";
  // Names and onion addresses are bytes that the owner chose.
  return harmlessText(decodeUri(contenthash) ?? contenthash);
}

function decodeUri(contenthash: Hex): string | undefined {
  const name = readIpnsName(contenthash);
  if (name !== undefined) return `ipns://${name}`;
  try {
    const codec = getCodec(contenthash) ?? "";
    if (!CODECS.includes(codec)) return undefined;
    return `${SCHEMES[codec] ?? codec}://${decode(contenthash)}`;
  } catch {
    // The library throws on invalid bytes, and the owner may have stored any.
    return undefined;
  }
}

function readIpnsName(contenthash: Hex): string | undefined {
  const { codec, held } = IPNS_IDENTITY.exec(contenthash)?.groups ?? {};
  if (held === undefined) return undefined;
  const isName = codec === NAMES || held.length < 2 * SHORTEST_KEY_BYTES;
  return isName ? hexToString(`0x${held}`) : undefined;
}
