import type { Hex } from "viem";
import { ACCOUNTS, type ChainName } from "./chain_name.ts";

/** A contenthash as ENSIP-7 encodes it, and as clients show it; an unreadable one is shown as hexadecimal. */
const CONTENTHASHES: readonly { label: string; shows: string; contenthash: Hex; uri: string }[] = [
  {
    label: "on-ipfs",
    shows: "contenthash: IPFS",
    contenthash: "0xe3010170122029f2d17be6139079dc48696d1f582a8530eb9805b561eda517e22a892c7e3f1f",
    uri: "ipfs://bafybeibj6lixxzqtsb45ysdjnupvqkufgdvzqbnvmhw2kf7cfkesy7r7d4",
  },
  {
    label: "on-ipns",
    shows: "contenthash: IPNS, by a key",
    contenthash:
      "0xe501017200240801122029f2d17be6139079dc48696d1f582a8530eb9805b561eda517e22a892c7e3f1f",
    uri: "ipns://k51qzi5uqu5dh887mvidx1r2ltrmvd6mbis4tgnni81yy5frxmgnrlez8866n3",
  },
  {
    label: "on-ipns-by-name",
    shows: "contenthash: IPNS, by a name in DNS",
    contenthash: "0xe5010170000f6170702e756e69737761702e6f7267",
    uri: "ipns://app.uniswap.org",
  },
  {
    label: "on-swarm",
    shows: "contenthash: Swarm",
    contenthash: "0xe40101fa011b20d1de9994b4d039f6548d191eb26786769f580809256b4685ef316805265ea162",
    uri: "bzz://d1de9994b4d039f6548d191eb26786769f580809256b4685ef316805265ea162",
  },
  {
    label: "on-arweave",
    shows: "contenthash: Arweave",
    contenthash: "0x90b2ca05b3a1a1c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f405162738495a6b7c8d",
    uri: "ar://s6GhwdLj9AUWJzhJWmt8jZ6vsMHS4_QFFic4SVprfI0",
  },
  {
    label: "on-onion",
    shows: "contenthash: an onion service, version 2",
    contenthash: "0xbc037a71746b6c776934666563766f367269",
    uri: "onion://zqtklwi4fecvo6ri",
  },
  {
    label: "on-onion3",
    shows: "contenthash: an onion service, version 3",
    contenthash:
      "0xbd037035336c663537716f7679757677736336786e72707079706c79337674716d376c3670636f626b6d797173696f6679657a6e667535757164",
    uri: "onion3://p53lf57qovyuvwsc6xnrppyply3vtqm7l6pcobkmyqsiofyeznfu5uqd",
  },
  {
    label: "on-skynet",
    shows: "contenthash: Skynet",
    contenthash: "0x90b2c60508004007fd43b74149b31aacbbf2784e874d09b086bed15fd54cacff7120cce95372",
    uri: "sia://CABAB_1Dt0FJsxqsu_J4TodNCbCGvtFf1Uys_3EgzOlTcg",
  },
  {
    label: "on-unknown",
    shows: "contenthash: an unknown codec",
    contenthash: "0xfe0100deadbeef",
    uri: "0xfe0100deadbeef",
  },
  {
    label: "on-garbage",
    shows: "contenthash: bytes that are no contenthash",
    contenthash: "0xdeadbeef",
    uri: "0xdeadbeef",
  },
  {
    label: "on-ipfs-cut",
    shows: "contenthash: IPFS, broken off",
    contenthash: "0xe301017012",
    uri: "0xe301017012",
  },
];

/** Names that differ by their contenthash. */
export const CONTENTHASH_NAMES: readonly ChainName[] = CONTENTHASHES.map(
  ({ label, shows, contenthash, uri }) => ({
    label,
    shows,
    state: "taken",
    expiresIn: 200 * 86_400,
    owner: ACCOUNTS.alice,
    resolver: "public",
    records: { contenthash, uri },
  }),
);
