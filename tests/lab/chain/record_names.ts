import { ACCOUNTS, type ChainName, type NameRecords } from "./chain_name.ts";

/** The ways in which a name can have records, on the public resolver. */
const RECORDS: Readonly<Record<string, { shows: string; records?: NameRecords }>> = {
  "alice": {
    shows: "taken, with all records",
    records: {
      address: ACCOUNTS.bob,
      texts: {
        avatar: "eip155:1/erc721:0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d/1",
        url: "https://alice.example",
        description: "Alice of the test chain",
        "com.twitter": "alice",
        "com.github": "alice-codes",
        email: "alice@alice.example",
      },
      contenthash: "0xe3010170122029f2d17be6139079dc48696d1f582a8530eb9805b561eda517e22a892c7e3f1f",
      uri: "ipfs://bafybeibj6lixxzqtsb45ysdjnupvqkufgdvzqbnvmhw2kf7cfkesy7r7d4",
    },
  },
  "no-records": { shows: "a resolver, and nothing in it" },
  "empty-records": {
    shows: "records that are there and empty",
    records: { texts: { url: "", description: "", email: "" } },
  },
  "unicode-records": {
    shows: "records in many scripts",
    records: {
      texts: { description: "Grüße, 世界, שלום, مرحبا, नमस्ते 👩‍👩‍👧‍👦", "com.twitter": "ünïcode" },
    },
  },
  "control-records": {
    shows: "records with control characters and marks that turn the text round",
    records: {
      texts: {
        url: "https://a.example/\u202Egpj.exe",
        description: "one\u0000two\u001B[31mthree\u007Ffour\u0085five\u2066six\u2069seven\r\n",
      },
    },
  },
  "cut-records": {
    shows: "a record of 4,099 bytes, whose 4,096th is in the middle of a character",
    records: { texts: { description: `${"a".repeat(4095)}\u{1F600}`, email: "a@a.example" } },
  },
  "markup-records": {
    shows: "records that a careless page would run",
    records: {
      texts: {
        url: "javascript:alert(1)",
        avatar: "http://169.254.169.254/latest/meta-data/",
        description: `<script>alert("\\")</script>`,
      },
    },
  },
};

/** Names that differ by their records. */
export const RECORD_NAMES: readonly ChainName[] = Object.entries(RECORDS).map(([label, row]) => ({
  label,
  ...row,
  state: "taken",
  expiresIn: 200 * 86_400,
  owner: ACCOUNTS.alice,
  resolver: "public",
}));
