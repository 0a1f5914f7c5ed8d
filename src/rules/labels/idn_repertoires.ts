/**
 * Code points, besides digits and the hyphen, allowed in names of a language or a script, as the inside of a regular
 * expression's class. Registries seldom publish their own tables, so these are conservative: a registry may allow more.
 * Source: ICANN's second-level reference rules of 2022-05-31 (the repository icann/lgr-django), from which the tables of
 * most gTLDs are derived; rows from another source name it.
 */

/** The letters of one language or script. */
export interface Repertoire {
  /** ISO 15924 codes of the scripts that one name may mix. Absent: the one that it is named for. */
  readonly scripts?: readonly string[];
  /** Whether a name may contain a-z. */
  readonly ascii?: true;
  /** Letters allowed at any position and without a variant. */
  readonly unrestricted: string;
  /** Marks, and letters that the reference rules allow at some positions only. */
  readonly contextual?: string;
  /** Letters with a variant in the same script: registries refuse a label whose variant is registered. */
  readonly variant?: string;
}

/** The syllables of Hangul. */
const HANGUL = "\uac00-\ud7a3";
/** Kana that may start a name, 〆 and 〇. */
const KANA = "〆〇あいうえおか-ぢつ-もやゆよら-ろわ-んアイウエオカ-ヂツ-モヤユヨラ-ロワ-ンヴ";
/** Small kana, length and repetition marks, which must follow other kana (`JAPANESE_MISPLACED`). */
const KANA_THAT_FOLLOWS = "々ぁぃぅぇぉっゃゅょゎゝゞァィゥェォッャュョヮヵヶーヽヾ";

/** Matches a length or repetition mark, or a small kana, that does not follow its own script. */
export const JAPANESE_MISPLACED =
  /(?<!\p{Script=Han})々|(?<![\p{Script=Hiragana}ー])[ぁぃぅぇぉっゃゅょゎゝゞ]|(?<![\p{Script=Katakana}ー])[ァィゥェォッャュョヮヵヶヽヾ]|(?<![\p{Script=Hiragana}\p{Script=Katakana}])ー/u;

const LATIN = { scripts: ["Latn"], ascii: true } as const;

/** By language (ISO 639) or script (ISO 15924). Han characters are in `han_characters.ts`. */
export const REPERTOIRES = {
  da: { ...LATIN, unrestricted: "äåæéöøü" },
  de: { ...LATIN, unrestricted: "äöü", contextual: "àâç-êôùû", variant: "ß" },
  es: { ...LATIN, unrestricted: "áéíñóúü", contextual: "àâãçèêìïòôõ" },
  fi: { ...LATIN, unrestricted: "á-åö", contextual: "æõøüšž" },
  fr: { ...LATIN, unrestricted: "æœ", variant: "àâç-ëîïñôùûüÿ" },
  hu: { ...LATIN, unrestricted: "àáéíóöúüőű" },
  is: { ...LATIN, unrestricted: "áæéíðóöúýþ" },
  it: { ...LATIN, unrestricted: "àçèéì-ïòóùú", contextual: "âêôû" },
  lt: { ...LATIN, unrestricted: "ąčėęįšūųž" },
  lv: { ...LATIN, unrestricted: "āčēģīķļņōŗšūž" },
  no: { ...LATIN, unrestricted: "àáã-æèéêíòóôöøúü", contextual: "çëñčđńŋšŧž" },
  pl: { ...LATIN, unrestricted: "óąćęłńśźż" },
  pt: { ...LATIN, unrestricted: "à-ãçéêíóôõú", contextual: "ü" },
  sv: { ...LATIN, unrestricted: "àáä-éëíñóõöøü", contextual: "âïčđńŋšŧž" },
  /** Also Croatian, Montenegrin and Serbian in Latin letters. */
  bs: { ...LATIN, unrestricted: "ćčđšž" },
  be: { scripts: ["Cyrl"], unrestricted: "а-зй-шы-яёіў", contextual: "ищъґ" },
  bg: { scripts: ["Cyrl"], unrestricted: "а-ъьюя", contextual: "ѐѝ" },
  mk: { scripts: ["Cyrl"], unrestricted: "а-ик-шѐѓѕјљњќѝџ" },
  ru: { scripts: ["Cyrl"], unrestricted: "а-яё" },
  /** Bosnian, Montenegrin and Serbian in Cyrillic. */
  sr: { scripts: ["Cyrl"], unrestricted: "а-ик-шђј-ћџ" },
  uk: { scripts: ["Cyrl"], unrestricted: "а-щьюяєіїґ", contextual: "ъыэёўӂ" },
  ar: {
    scripts: ["Arab"],
    unrestricted: "\u0621\u0628\u062a-\u063a\u0641\u0642\u0644\u0645",
    variant:
      "\u0622-\u0627\u0629\u0643\u0646-\u064a\u0660-\u0669\u06a9\u06ba\u06be\u06c1\u06c3\u06cc\u06cd\u06d0\u06d2\u06f0-\u06f9",
  },
  hi: {
    scripts: ["Deva"],
    unrestricted: "\u0915-\u0928\u092a-\u0930\u0932\u0935-\u0939",
    contextual:
      "\u0902\u0903\u0905-\u090b\u090d\u090f\u0910\u0911\u0913\u0914\u093c\u093e-\u0943\u0945\u0947\u0948\u0949\u094b\u094c\u094d",
    variant: "\u0901\u0966-\u096f",
  },
  Arab: {
    unrestricted:
      "\u0620\u0621\u0628\u062c-\u063a\u0644\u0645\u067c\u067f\u0680\u0681\u0685-\u068d\u0691\u0693\u0695-\u069a\u069f\u06a0\u06a6\u06ae\u06b0\u06b1\u06b3\u06b5\u06bc\u06c4\u06c6\u06cb\u06ce\u06cf\u0751\u0756\u0760\u0762\u0766\u0768\u076a\u076e-\u0771\u08a0",
    variant:
      "\u0622-\u0627\u0629\u062a\u062b\u0641\u0642\u0643\u0646-\u064a\u0660-\u0669\u0672\u0679\u067a\u067b\u067d\u067e\u0683\u0684\u068e\u068f\u06a2\u06a4\u06a7-\u06ab\u06ad\u06af\u06ba\u06bb\u06bd\u06be\u06c0-\u06c3\u06cc\u06cd\u06d0\u06d1\u06d2\u06d5\u06f0-\u06f9\u0752\u0763\u0767",
  },
  Armn: { unrestricted: "ա-ձճ-շչ-ֆ", variant: "ղո" },
  Beng: {
    unrestricted: "\u0994-\u09a8\u09aa-\u09af\u09b2\u09b6-\u09b9\u09f1",
    contextual:
      "\u0981\u0982\u0983\u0985-\u098b\u098f\u0990\u0993\u09be-\u09c4\u09c7\u09c8\u09cb-\u09ce",
    variant: "\u09b0\u09e6-\u09f0",
  },
  /** Only letters that Verisign lists too (com_cyrl_1.2, 2014-10-25). */
  Cyrl: {
    unrestricted: "а-тф-яё-ѕј-ќўџґғҕҗҙқҟҡңҥҩҫҭұҳҵҷһҽҿӏӑӓӕӗәӝӟӡӣӥӧөӯӱӳӵӹԥ",
    variant: "уіїү",
  },
  Deva: {
    unrestricted: "\u0915-\u0928\u092a-\u0930\u0932\u0933\u0935-\u0939\u097b\u097c\u097e\u097f",
    contextual:
      "\u0903\u0905\u0907-\u090b\u090d\u090f\u0911\u0912\u093c\u093f-\u0943\u0945\u0948\u0949\u094a\u094d\u0956\u0957\u0972\u0976\u0977",
    variant:
      "\u0901\u0902\u0906\u090e\u0910\u0913\u0914\u093a\u093b\u093e\u0946\u0947\u094b\u094c\u094f\u0966-\u096f\u0973\u0974\u0975",
  },
  Ethi: {
    unrestricted:
      "\u1208-\u120f\u1218-\u121f\u1228-\u122f\u1238-\u1248\u124a-\u124d\u1250-\u1256\u1258\u125a-\u125d\u1260-\u127f\u128a-\u128d\u1290-\u129f\u12a7-\u12ad\u12b2-\u12b5\u12b8-\u12be\u12c0\u12c2-\u12c5\u12c8-\u12cf\u12d8-\u12f7\u1300-\u130e\u1310\u1312-\u1315\u1318-\u131e\u1320-\u1337\u133f\u1348-\u1359",
    variant:
      "\u1200-\u1206\u1210-\u1217\u1220-\u1227\u1230-\u1237\u1280-\u1286\u1288\u12a0-\u12a6\u12ae\u12b0\u12d0-\u12d6\u1338-\u133e\u1340-\u1346",
  },
  Geor: { unrestricted: "\u10d0-\u10f0" },
  Grek: { unrestricted: "βγδζθκ-ξπρτφχψ", variant: "ΐά-αεηιοςσυω-ώ" },
  Gujr: {
    unrestricted:
      "\u0a85-\u0a8d\u0a8f\u0a90\u0a91\u0a93-\u0aa8\u0aab-\u0aaf\u0ab2\u0ab3\u0ab5-\u0ab9",
    contextual: "\u0a82\u0a83\u0abc\u0abe-\u0ac5\u0ac7\u0ac8\u0ac9\u0acb\u0acc\u0acd",
    variant: "\u0aaa\u0ab0\u0ae6-\u0aef",
  },
  Guru: {
    unrestricted:
      "\u0a05-\u0a0a\u0a0f\u0a10\u0a13-\u0a28\u0a2a-\u0a30\u0a32\u0a35\u0a38\u0a39\u0a5c",
    contextual: "\u0a02\u0a3c\u0a3e-\u0a42\u0a48\u0a4c\u0a4d\u0a70\u0a71",
    variant: "\u0a47\u0a4b",
  },
  Hebr: {
    unrestricted: "\u05d0-\u05d9\u05dc\u05e1\u05e2\u05e7-\u05ea",
    variant: "\u05da\u05db\u05dd-\u05e0\u05e3-\u05e6",
  },
  Khmr: {
    unrestricted: "\u1780-\u179c\u179f-\u17a2\u17a5\u17a6\u17a7\u17aa-\u17b1\u17b3",
    contextual: "\u17b6-\u17cd\u17d0\u17d2",
    variant: "\u17e0-\u17e9",
  },
  Knda: {
    unrestricted: "\u0c95-\u0ca8\u0caa-\u0cb0\u0cb2\u0cb3\u0cb5-\u0cb9",
    contextual:
      "\u0c82\u0c83\u0c85-\u0c8b\u0c8e\u0c8f\u0c90\u0c92\u0c93\u0c94\u0cbe-\u0cc3\u0cc6\u0cc7\u0cc8\u0cca-\u0ccd",
    variant: "\u0ce6-\u0cef",
  },
  Laoo: {
    unrestricted:
      "\u0e81\u0e82\u0e84\u0e87\u0e88\u0e8a\u0e8d\u0e94-\u0e97\u0e99-\u0e9f\u0ea1\u0ea2\u0ea3\u0ea5\u0ea7\u0eaa\u0eab\u0ead\u0eae",
    contextual: "\u0eb0\u0eb1\u0eb2\u0eb4-\u0eb9\u0ebb\u0ebc\u0ebd\u0ec0-\u0ec4\u0ec6\u0ec8-\u0ecd",
    variant: "\u0ed0-\u0ed9",
  },
  /** Up to U+024F, and Vietnamese; letters of African and American languages differ between tables. */
  Latn: {
    ...LATIN,
    unrestricted:
      "âä-ìîðôöøûþÿăąĉčďđėęěĝĥħįĵķĺļľłņňőœŕřśŝşšťŧŭůűųŵŷžƈƙơƥƭưƴǩǯșțɍ\u1ea1\u1ea5\u1ea7\u1ea9\u1eab\u1ead\u1eaf\u1eb1\u1eb3\u1eb5\u1eb7\u1eb9\u1ebb\u1ebf\u1ec1\u1ec3\u1ec5\u1ec7\u1ecb\u1ecd\u1ed1\u1ed3\u1ed5\u1ed7\u1ed9\u1edb\u1edd\u1edf\u1ee1\u1ee3\u1ee5\u1ee9\u1eeb\u1eed\u1eef\u1ef1\u1ef5\u1ef9",
    variant: "àáãíïñòóõùúüýāćċēğġģĩīıńŋōũūźżƒǝǧ\u1ea3\u1ebd\u1ec9\u1ecf\u1ee7\u1ef3\u1ef7",
  },
  Mlym: {
    unrestricted: "\u0d05-\u0d0b\u0d0e\u0d0f\u0d10\u0d12-\u0d28\u0d2a-\u0d30\u0d32\u0d34-\u0d39",
    contextual:
      "\u0d02\u0d03\u0d31\u0d33\u0d3e-\u0d43\u0d46\u0d47\u0d48\u0d4a\u0d4b\u0d4d\u0d57\u0d7a\u0d7c-\u0d7f",
    variant: "\u0d7b",
  },
  Mymr: {
    unrestricted: "\u1024-\u102a",
    contextual:
      "\u1000\u1002\u1003\u1005\u1006\u1007\u1009-\u101c\u101e-\u1022\u102d\u102f-\u1032\u1034-\u103f\u105c-\u1060\u1062\u1064\u1075\u1077-\u108a\u108f\uaa7b",
    variant:
      "\u1001\u1004\u1008\u101d\u1023\u102b\u102c\u102e\u1033\u1040-\u1049\u105a\u105b\u1061\u1076",
  },
  Orya: {
    unrestricted:
      "\u0b05-\u0b0b\u0b0f\u0b10\u0b13-\u0b28\u0b2a-\u0b30\u0b32\u0b33\u0b36-\u0b39\u0b5f\u0b71",
    contextual: "\u0b01\u0b02\u0b03\u0b3c\u0b3e-\u0b43\u0b47\u0b48\u0b4b\u0b4c\u0b4d\u0b56",
  },
  Sinh: {
    unrestricted:
      "\u0d85-\u0d8c\u0d95\u0d96\u0d9a\u0d9c\u0d9f\u0da1-\u0da5\u0da7-\u0db1\u0db3\u0db4\u0db8\u0dba\u0dbb\u0dbd\u0dc1\u0dc2\u0dc5\u0dc6",
    contextual: "\u0d82\u0d83\u0dca\u0dcf-\u0dd4\u0dd6\u0dd8-\u0dde\u0df2",
    variant: "\u0d8d\u0d91-\u0d94\u0d9b\u0d9d\u0da0\u0db5\u0db6\u0db7\u0db9\u0dc0\u0dc3\u0dc4",
  },
  Taml: {
    unrestricted:
      "\u0b85-\u0b8a\u0b8e\u0b8f\u0b90\u0b92\u0b93\u0b95\u0b99\u0b9a\u0b9c\u0b9e\u0b9f\u0ba3\u0ba4\u0ba8\u0ba9\u0baa\u0bae-\u0bb9",
    contextual: "\u0b83\u0bbe-\u0bc2\u0bc6\u0bc7\u0bc8\u0bca\u0bcb\u0bcd",
    variant: "\u0b94\u0bcc",
  },
  Telu: {
    unrestricted: "\u0c15-\u0c28\u0c2a-\u0c30\u0c32\u0c33\u0c35-\u0c39",
    contextual:
      "\u0c02\u0c03\u0c05-\u0c0b\u0c0e\u0c0f\u0c10\u0c12\u0c13\u0c14\u0c3e-\u0c44\u0c46\u0c47\u0c48\u0c4a-\u0c4d",
  },
  Thai: {
    unrestricted: "\u0e01-\u0e2e",
    contextual: "\u0e2f-\u0e32\u0e34-\u0e3a\u0e40-\u0e44\u0e46-\u0e4d",
    variant: "\u0e50-\u0e59",
  },
  ja: { scripts: ["Hani", "Hira", "Kana"], ascii: true, unrestricted: KANA + KANA_THAT_FOLLOWS },
  ko: { scripts: ["Hang", "Hani"], ascii: true, unrestricted: HANGUL },
  zh: { scripts: ["Hani"], ascii: true, unrestricted: "" },
  /** Google Registry's Latin table for TLDs launched before 2023 (google_latn_1.0; google/nomulus, 2026-08-21). */
  google: {
    ...LATIN,
    unrestricted:
      "à-öø-ÿāăąćċčďđēėęěğġģħīįıķĺļľłńņňŋōőœŕŗřśşšţťŧūůűųŵŷźżžǎǐǒǔǥǧǩǯəʒ\u1e81\u1e83\u1e85\u1ef3",
  },
} as const satisfies Record<string, Repertoire>;

/** The name of a repertoire. */
export type RepertoireName = keyof typeof REPERTOIRES;

/**
 * Letters, by script, that look like a letter of another script: the reference rules' cross-script variants. A registry
 * that blocks variants refuses a label made of such letters only, if its lookalike is registered.
 */
export const LOOKALIKES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Latn: {
    Grek: "ainopuvyßáíïóúüıńŋơɛɣɩʋ",
    Cyrl: "acehijloprsxyßáäæçëíïóöÿăħıŕǝɍəɣɩʒụ",
    Armn: "ghinoquíïóúüıńŋɩʋ",
    Hebr: "io",
  },
  Grek: { Latn: "ΐάέήίΰαβγεηινορςσυϊϋόύ", Cyrl: "ΐάίαβγικορτφϊό", Armn: "ΐήίΰηιουϊϋόύ" },
  Cyrl: { Latn: "агеорсухёѓѕіїјћџғҫүһӏӑӓӕәӡӧӱ", Grek: "акортуфіїү", Armn: "ошіїһ" },
  Armn: { Latn: "զհղոսցւօ", Cyrl: "ահւօ", Grek: "ղոսւօ" },
  Hebr: { Latn: "\u05d5\u05e1" },
};

/** The Unicode scripts in use today or in a registry's tables, by ISO 15924 code. */
export const SCRIPTS: readonly string[] = (
  "Latn Cyrl Grek Arab Hebr Hani Hira Kana Hang Thai Laoo Deva Armn Geor Ethi Cher Khmr Mymr " +
  "Beng Gujr Guru Knda Mlym Orya Sinh Taml Telu Tibt Mong Syrc Thaa Nkoo Tfng Bopo Yiii Cans " +
  "Lisu Vaii Adlm Bali Bamu Batk Bugi Buhd Cakm Cham Hano Java Kali Lana Lepc Limb Mand Mtei " +
  "Olck Rjng Samr Saur Sund Sylo Tagb Tale Talu Tavt Tglg Armi Avst Brah Cari Copt Egyp Glag " +
  "Goth Khar Kthi Lyci Lydi Ogam Orkh Phag Phli Phnx Prti Runr Sarb Xpeo Xsux"
).split(" ");

let names: Intl.DisplayNames | undefined;

/** The English name of a script; of one that is not listed, that it is unknown. */
export function scriptName(script: string): string {
  if (!SCRIPTS.includes(script)) return "an unknown script";
  // Created when first needed: it takes 15 ms (measured, Deno 2.9.6).
  names ??= new Intl.DisplayNames("en", { type: "script" });
  return `${names.of(script)}`;
}

// Linear: each matches one character.
const TESTS = SCRIPTS.map((script) => [script, new RegExp(`\\p{Script=${script}}`, "u")] as const);
const SHARED = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** The script of a character: `undefined` if several scripts share it, `"other"` if it is not listed above. */
export function scriptOf(character: string): string | undefined {
  if (SHARED.test(character)) return undefined;
  return TESTS.find(([, test]) => test.test(character))?.[0] ?? "other";
}
