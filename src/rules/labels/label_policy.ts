/**
 * What a TLD's own rules say about a label. RDAP returns the same 404 for names that the registry would never register
 * as for available ones, so a 404 means "available" only if these rules allow the label.
 */
import type { LabelPolicy } from "../answer.ts";
import type { SuffixCoverage } from "../coverage.ts";
import { tldType } from "../tables/tlds.ts";
import { hanCharacters } from "./han_characters.ts";
import { IDN_POLICIES, type IdnTables, LABEL_SHAPES } from "./registry_rules.ts";
import {
  JAPANESE_MISPLACED,
  LOOKALIKES,
  type Repertoire,
  type RepertoireName,
  REPERTOIRES,
  scriptName,
  scriptOf,
} from "./idn_repertoires.ts";

const ALLOWED: LabelPolicy = { kind: "allowed" };

/**
 * Judges a label in lower case by the rules of a TLD. `unicode` is the U-label of a valid `xn--` label, `undefined` for
 * any other label. `allowed` means: a source allows the `xn--` label, or no source refuses the ASCII label; it does not
 * mean that the name is available.
 */
export function judgeLabel(label: string, unicode: string | undefined, tld: string): LabelPolicy {
  if (!label.startsWith("xn--")) return judgeWithheld(label, tld) ?? judgeShape(label, tld);
  const policy = IDN_POLICIES.find(({ tlds }) => tlds.includes(tld))?.policy;
  if (policy === undefined || policy === "none") return judgeWithoutTables(tld, policy);
  if (unicode === undefined) {
    return forbidden(`${label} is not a valid internationalised name (RFC 5891)`);
  }
  return judgeUnicode(unicode, tld, policy);
}

/** Where the shortest label is not known, it may have so many characters. */
const USUAL_LEAST = 3;

/** Judges a label by what is known of a suffix that is not built in: what has no row is unknown. */
export function judgeOtherLabel(
  label: string,
  { facts: { suffix }, minLength, unsure, idn, level }: SuffixCoverage,
): LabelPolicy {
  if (level !== undefined) return level;
  if (label.startsWith("xn--")) return judgeWithoutTables(suffix, idn);
  if (label.length < (minLength ?? USUAL_LEAST)) {
    return minLength === undefined
      ? unknown(`Unknown whether the .${suffix} registry sells names of one or two characters`)
      : forbidden(`Names under .${suffix} have at least ${minLength} characters`);
  }
  if (unsure?.labels.test(label)) return unknown(unsure.why);
  if (!isReserved(label, suffix)) return judgeWithheld(label, suffix) ?? ALLOWED;
  return unknown(`Unknown whether the .${suffix} registry reserves ${label}, as most do`);
}

/** In the names of most of the 191 societies that ICANN's policy of 2020-02-18 withholds, and not in "sacredcross". */
const SOCIETY =
  /(?<!sac|hund|kind|hat|sha|squa|pa|spi|fi|hi|ui|blur|star|armo|colo|sco|bo|lo|cu|cove|powe|nge)red-?cross|red-?crescent|red-?crystal|croix-?rouge|croissant-?rouge|cruz-?roja|media-?luna-?roja|cruz-?vermelha|rotes?-?kreuz|roten-?kreuz|rot-?kreuz-?gesell|rode-?kruis|croce-?rossa|magen-?david|crveni-?krst|palang-?merah|bulan-?sabit|crusch-?cotschna/;

/** Judges a label that may be withheld: that of a category, or of a society of the Red Cross; undefined if it is neither. */
function judgeWithheld(label: string, tld: string): LabelPolicy | undefined {
  if (tldType(tld) === "ccTLD") {
    if (!CATEGORIES.has(label)) return undefined;
    return unknown(`Unknown whether the .${tld} registry reserves ${label}, as others do`);
  }
  if (!SOCIETY.test(label)) return undefined;
  return unknown("Unknown whether this is the name of a Red Cross society, which ICANN withholds");
}

/** Judges internationalised names of a registry that sells none, or whose tables are not known. */
function judgeWithoutTables(suffix: string, policy: "none" | undefined): LabelPolicy {
  return policy === "none"
    ? forbidden(`The .${suffix} registry does not sell internationalised names (xn--…)`)
    : unknown(`Unknown which internationalised names (xn--…) the .${suffix} registry sells`);
}

function judgeShape(label: string, tld: string): LabelPolicy {
  const row = LABEL_SHAPES.find(({ tlds, labels }) => tlds.includes(tld) && labels.test(label));
  if (row === undefined) return ALLOWED;
  const sentence = row.sentence.replace("{tld}", tld);
  return row.kind === "forbidden" ? forbidden(sentence) : unknown(sentence);
}

/** How a registry treats the letters of a repertoire that are not `unrestricted` (see `IdnTables`). */
type Reading = "whole" | "withoutContextual" | "blocking";

interface Table extends Repertoire {
  readonly name: RepertoireName;
  readonly reading: Reading;
  readonly scripts: readonly string[];
}

const READINGS: readonly Reading[] = ["whole", "withoutContextual", "blocking"];

function judgeUnicode(unicode: string, tld: string, policy: IdnTables): LabelPolicy {
  const letters = [...unicode].filter((character) => !/[0-9-]/.test(character));
  const tables = READINGS.flatMap((reading) =>
    (policy[reading] ?? [])
      .map((name): Table => ({ name, reading, scripts: [name], ...REPERTOIRES[name] }))
  );
  const scripts = scriptsOf(letters);
  const unknownTables = policy.unknownTables ?? [];
  const sold = new Set([...tables.flatMap(({ scripts }) => scripts), ...unknownTables]);
  const refused = scripts.find((script) => !sold.has(script));
  if (refused !== undefined) {
    return forbidden(`The .${tld} registry does not sell names in ${named([refused])}`);
  }
  const candidates = tables.filter((table) => mixes(table, letters));
  if (candidates.length === 0) return judgeMixture(letters, tld, policy);
  return judgeLength(unicode, tld, policy) ?? judgeLetters(unicode, letters, tld, candidates) ??
    judgeLookalikes(letters, tld, candidates, sold) ?? ALLOWED;
}

/** Judges a label whose scripts no known table combines. */
function judgeMixture(letters: readonly string[], tld: string, policy: IdnTables): LabelPolicy {
  const scripts = scriptsOf(letters);
  const [script = "", ...more] = scripts
    .filter((each) => each !== "Latn" || !isLatinAscii(letters));
  const hasAscii = letters.some((letter) => /[a-z]/.test(letter));
  // ICANN's IDN guidelines forbid tables that mix these with Latin: their letters look alike.
  const mayHoldAscii = policy.mayMixAscii && script !== "Cyrl" && script !== "Grek";
  if (more.length === 0 && (!hasAscii || mayHoldAscii)) {
    return policy.unknownTables?.includes(script)
      ? unknown(`Unknown which names in ${named(scripts)} the .${tld} registry sells`)
      : unknown(`Unknown whether the .${tld} registry sells names that mix ${named(scripts)}`);
  }
  return forbidden(`The .${tld} registry does not sell names that mix ${named(scripts)}`);
}

function judgeLength(unicode: string, tld: string, { maxJapaneseLength }: IdnTables) {
  if (maxJapaneseLength === undefined || [...unicode].length <= maxJapaneseLength) return undefined;
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(unicode)) return undefined;
  return forbidden(
    `Names under .${tld} with Japanese letters have at most ${maxJapaneseLength} characters`,
  );
}

/** Undefined if one table allows all letters and no registered variant can block the name. */
function judgeLetters(
  unicode: string,
  letters: readonly string[],
  tld: string,
  candidates: readonly Table[],
) {
  // Only the Japanese table has the letters that this pattern matches.
  const isAllowed = !JAPANESE_MISPLACED.test(unicode) &&
    candidates.some((table) => letters.every((letter) => allows(table, letter)));
  const varied = letters.find((letter) =>
    candidates.some((table) => table.reading === "blocking" && isVariant(table, letter))
  );
  if (varied !== undefined) {
    return unknown(
      `The .${tld} registry may refuse ${varied} because a name with a variant of it is registered`,
    );
  }
  if (isAllowed) return undefined;
  const strange = letters.find((letter) => !candidates.some((table) => allows(table, letter)));
  const what = strange === undefined ? `the letters of ${unicode} together` : shown(strange);
  return unknown(`Unknown whether the .${tld} registry allows ${what}`);
}

/** A letter, or the number of one that has no shape of its own. */
function shown(letter: string): string {
  const code = Number(letter.codePointAt(0)).toString(16).toUpperCase().padStart(4, "0");
  return /\p{Cf}/u.test(letter) ? `U+${code}` : letter;
}

/** A registry that blocks variants also blocks lookalikes in another script. */
function judgeLookalikes(
  letters: readonly string[],
  tld: string,
  candidates: readonly Table[],
  sold: ReadonlySet<string>,
) {
  if (!candidates.some(({ reading }) => reading === "blocking")) return undefined;
  // Each row of lookalikes has the letters of one script, so that a mixture matches none.
  const [script = ""] = scriptsOf(letters);
  const lookalike = Object.entries(LOOKALIKES[script] ?? {}).find(([other, alike]) =>
    sold.has(other) && letters.every((letter) => alike.includes(letter))
  );
  if (lookalike === undefined) return undefined;
  const other = scriptName(lookalike[0]);
  return unknown(
    `The .${tld} registry may refuse this name because a lookalike in ${other} is registered`,
  );
}

function allows(table: Table, letter: string): boolean {
  if (table.ascii && /[a-z]/.test(letter)) return true;
  // `judgeLetters` handles variants where they are blocked.
  if (isVariant(table, letter) || isHan(table, letter)) return true;
  return isIn(table.unrestricted, letter) ||
    (table.reading === "whole" && isIn(table.contextual, letter));
}

function isVariant(table: Table, letter: string): boolean {
  return isIn(table.variant, letter) ||
    isHan(table, letter) && hanCharacters().variants.has(letter);
}

/** Whether a table of Chinese or Japanese has the Han character. */
function isHan({ name }: Table, letter: string): boolean {
  return name === "zh" && hanCharacters().chinese.has(letter) ||
    name === "ja" && hanCharacters().japanese.has(letter);
}

/** Whether a letter matches the inside of a regular expression's class. */
function isIn(inside: string | undefined, letter: string): boolean {
  // Linear: it matches one character.
  return inside !== undefined && new RegExp(`[${inside}]`, "u").test(letter);
}

/** Whether one name of a table may mix the scripts of these letters. */
function mixes({ scripts, ascii }: Table, letters: readonly string[]): boolean {
  return scriptsOf(letters).every((script) =>
    scripts.includes(script) || (script === "Latn" && ascii && isLatinAscii(letters))
  );
}

/** Whether all Latin letters among these are a-z. */
function isLatinAscii(letters: readonly string[]): boolean {
  return letters.every((letter) => scriptOf(letter) !== "Latn" || /[a-z]/.test(letter));
}

function scriptsOf(letters: readonly string[]): string[] {
  return [...new Set(letters.map(scriptOf))].filter((script) => script !== undefined);
}

function named(scripts: readonly string[]): string {
  return scripts.map(scriptName).join(" and ");
}

function forbidden(rule: string): LabelPolicy {
  return { kind: "forbidden", rule };
}

function unknown(why: string): LabelPolicy {
  return { kind: "unknown", why };
}

/**
 * Found reserved at several registries without a notice in RDAP (d.dev, example.dev, test.dev/.app/.xyz/.tech/.cloud/
 * .online/.site; third-party measurements, 2025-06 to 2026-08), and the names that ICANN's registry agreement reserves; as
 * a domain one that was found at one registry only.
 */
const RESERVED: ReadonlySet<string> = new Set(
  "example localhost nic rdds test whois www mail.dev".split(" "),
);

/** Country codes keep what could become a suffix (the rules of .is, .ca, .au and Nominet). */
const CATEGORIES: ReadonlySet<string> = new Set(
  "ac biz co com edu gob gouv gov info int mil name net org".split(" "),
);

/**
 * The names that generic TLDs withhold, with or without hyphens, by ICANN's policies of 2018-01-16 and 2020-02-18: of the Olympic
 * Committee, of the Red Cross in six languages, and of those organisations of states that have short ones (lists of 2014, as at
 * github.com/gbxyz/spec5-reserved-names).
 */
const WITHHELD: ReadonlySet<string> = new Set(
  `
olympic olympiad olympique olympiade olympisch xn--olmpico-8ya xn--olimpada-g2a xn--igbk7fennc xn--igbic3azhgtrc
xn--74qv0co1jlpq xn--jlq85io9flpq xn--74qv0cu1jdpq xn--nlq05iu9fdpq xn--kxadxfcgtff2c xn--hxakisjgtk7b xn--4y2bl1uwwl
xn--hy1bl6gb7lq0a546c xn--h1aaadbedjpny xn--80aaloaqinm
red-cross red-crescent red-crystal red-lion-and-sun croix-rouge croissant-rouge cristal-rouge lion-et-soleil-rouge cruz-roja
media-luna-roja cristal-rojo xn--lenysolrojos-1hb xn--len-y-sol-rojos-wrb xn--80aklccqteffl6h xn----7sbqoddswffgm4i
xn--80aklchgejigmhx9b1dvd xn----7sbqodjheljgniz2c2d0d xn--80aaxddcjam2aeifo3k xn----7sbb5adedkan5afigp1l
xn--80aeibodfkdogkspg7fsd xn------5cdlrdweiofrjnvsj2h1d xn--igbhad1ayx3jbcn8c xn----rmckbd7a2a0a8kbdo2d
xn--igbhaa5ay2kabbnq xn----rmckab1b2a0mabcor xn--ggblaaaafgcf3b2bfdu8wqafcbdx7dwb
xn-----usdvabbaghdg1c7bgew00asafdbez2eyb xn--igbhbaaa4bnvpcl7rednevzl xn------6yetdbaa2dq4aseo3wgepfy3an
xn--kkr01qny4a xn--efvv3a313c xn--1kvs1kn4r xn--jhqs4ylzunwk7v2a
african-union andean-community caribbean-community council-of-europe efta-court euclid-university european-central-bank
european-commission european-council european-parliament european-patent-office european-space-agency european-union
league-of-arab-states pacific-community pacific-islands-forum south-centre the-commonwealth union-benelux united-nations
university-for-peace universal-postal-union world-bank world-food-programme world-health-organization
world-trade-organization
`.match(/\S+/g)?.map(withoutHyphens),
);

/**
 * The names of countries and territories that the generic TLDs since 2012 withhold, with or without hyphens (ICANN, new gTLD
 * registry agreement, Specification 5, section 4: ISO 3166-1's short names, and of the United Nations' names those in ASCII;
 * lists of 2014-04-17, as above).
 */
const COUNTRIES: ReadonlySet<string> = new Set(
  `
afghanistan afriquedusud albania albanie alemania algeria allemagne american-samoa andorra andorre angola anguilla antarctica
antigua-and-barbuda antiguaetbarbuda antiguaybarbuda arabiasaudita arabiesaoudite argelia argentina argentine armenia aruba
ascension-and-tristan-da-cunha-saint-helena australia australie austria autriche azerbaijan bahamas bahrain bahrein
bangladesh barbade barbados belarus belgique belgium belice belize benin bermuda bhoutan bhutan
bolivarian-republic-of-venezuela bolivia bolivie bonaire bonaire-sint-eustatius-and-saba bosnia-and-herzegovina
bosniayherzegovina botswana bouvet-island brasil brazil british-indian-ocean-territory british-virgin-islands
brunei-darussalam bulgaria bulgarie burkina burkina-faso burundi caboverde cambodge cambodia camboya cameroon cameroun canada
cap-vert cape-verde cayman-islands central-african-republic chad chile chili china chine chipre christmas-island chypre
cocos-islands cocos-keeling-islands colombia colombie comoras comores comoros congo cook-islands costa-rica costademarfil
croacia croatia croatie cuba cyprus czech-republic danemark democratic-people-s-republic-of-korea
democratic-republic-of-the-congo denmark dinamarca djibouti dominica dominican-republic dominicana dominique ecuador egipto
egypt eire el-salvador equateur equatorial-guinea eritrea eslovaquia eslovenia espagne estonia estonie ethiopia ethiopie
falkland-islands falkland-islands-malvinas faroe-islands federated-states-of-micronesia fidji fiji filipinas finland finlande
finlandia former-yugoslav-republic-of-macedonia france francia french-guiana french-polynesia french-southern-territories
gabon gambia gambie georgia germany ghana gibraltar granada grecia greece greenland grenada grenade guadeloupe guam guatemala
guayana guernsey guinea guinea-bissau guineaecuatorial guyana guyane haiti heard-island-and-mcdonald-islands holy-see
holy-see-vatican-city-state honduras hong-kong hongrie hungary iceland ilemaurice inde india indonesia irak iran iraq ireland
irlanda irlande islamic-republic-of-iran islande islandia islasmarshall isle-of-man israel italia italie italy jamaica japan
japon jersey jordan jordania jordanie katar kazakhstan keeling-islands kenia kenya kirghizistan kiribati korea kuwait
kyrgyzstan lao-people-s-democratic-republic laos latvia lebanon lesotho lesoto letonia lettonie liban liberia libia libya
libye liechtenstein lithuania lituania lituanie luxembourg luxemburgo macao macedonia madagascar malaisie malasia malawi
malaysia maldivas maldives mali malta malte malvinas maroc marruecos marshall-islands martinique maurice mauricio mauritania
mauritanie mauritius mayotte mexico mexique micronesia moldova monaco mongolia mongolie montenegro montserrat morocco
mozambique myanmar namibia namibie nauru nepal netherlands new-caledonia new-zealand nicaragua niger nigeria niue
norfolk-island northern-mariana-islands noruega norway nuevazelandia oman ouganda pakistan palaos palau palestine panama
papua-new-guinea papua-nueva-guinea paraguay pays-bas peru philippines pitcairn plurinational-state-of-bolivia poland pologne
polonia portugal province-of-china-taiwan puerto-rico qatar republic-of-korea republic-of-moldova romania roumanie
royaume-unidegrande-bretagneetdirlandedunord ruanda rumania russian-federation rwanda saint-helena
saint-helena-ascension-and-tristan-da-cunha saint-kitts-and-nevis saint-kitts-et-nevis saint-lucia saint-marin saint-martin
saint-pierre-and-miquelon saint-vincent-and-the-grenadines saint-vincent-et-les-grenadines sainte-lucie saintkittsynevis
salvador samoa san-marino santa-sede sanvicenteylasgranadinas sao-tome-and-principe saudi-arabia senegal serbia serbie
seychelles sierra-leone sierraleona singapore singapour singapur sint-eustatius-and-saba-bonaire sint-maarten slovakia
slovaquie slovenia solomon-islands somalia somalie soudan soudan-du-sud south-africa
south-georgia-and-the-south-sandwich-islands south-sudan spain sri-lanka state-of-palestine sud-soudan sudan suecia suisse
suiza suriname svalbard-and-jan-mayen swaziland swazilandia sweden switzerland syrian-arab-republic tadjikistan tailandia
taiwan taiwan-province-of-china tajikistan tanzania tchad thailand the-democratic-republic-of-the-congo
the-former-yugoslav-republic-of-macedonia timor-leste togo tokelau tonga trinidad-and-tobago trinidad-y-tabago
trinidadettobago trinidadytobago tunisia tunisie turkey turkmenistan turks-and-caicos-islands turquie tuvalu
u-s-virgin-islands ucrania uganda ukraine united-arab-emirates united-kingdom united-republic-of-tanzania united-states
united-states-minor-outlying-islands unitedkingdomofgreatbritainandnorthernireland unitedstatesofamerica uruguay uzbekistan
vanuatu vatican vatican-city-state venezuela viet-nam virgin-islands wallis-and-futuna western-sahara yemen yugoslav zambia
zambie zimbabue zimbabwe xn--cte-d-ivoire-eib xn--cte-divoire-2eb xn--ctedivoire-rbb xn--curaao-zua xn--land-islands-scb
xn--landislands-w8a xn--mxico-bsa xn--runion-bva xn--saint-barthlemy-lnb xn--saintbarthlemy-kkb
`.match(/\S+/g)?.map(withoutHyphens),
);
/** Of the built-in ones; their agreements are older. */
const BEFORE_2012 = new Set("biz com info net org".split(" "));

function withoutHyphens(label: string): string {
  return label.replaceAll("-", "");
}

/** Whether the name is known to be reserved; one-character labels are reserved, or were sold long ago. */
export function isReserved(label: string, tld: string): boolean {
  if (label.length === 1 || RESERVED.has(label) || RESERVED.has(`${label}.${tld}`)) return true;
  const plain = withoutHyphens(label);
  return tldType(tld) === "gTLD" &&
    (WITHHELD.has(plain) || COUNTRIES.has(plain) && !BEFORE_2012.has(tld));
}
