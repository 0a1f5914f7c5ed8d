/**
 * What we know of suffixes beyond IANA's lists, as rows with their source: RDAP servers that IANA does not list,
 * availability services, who may register, and labels whose absence from the registry's answers proves nothing.
 */
import type { RestrictingRule } from "../../answer.ts";
import type { WhoisServer } from "../hosts.ts";

/** Labels of which a missing record proves nothing, and why. */
interface Unsure {
  readonly labels: RegExp;
  readonly why: string;
  /** Whether only directly below the TLD, and not under its suffixes. */
  readonly isDirect?: true;
}

/** What one source says of TLDs. */
export interface SuffixRow {
  /** The TLDs, with spaces between them. */
  readonly tlds: string;
  /** Whether the public can register nothing there. */
  readonly isClosed?: true;
  /** The registry's RDAP server that IANA does not list; `{tld}` stands for the TLD. */
  readonly rdapBase?: string;
  /** Its WHOIS server, or its availability service, which is asked instead. */
  readonly whois?: WhoisServer;
  /** Who may register there. */
  readonly requirements?: string;
  /** Labels that the registry may refuse although it knows no such domain, and why. */
  readonly unsure?: Unsure | undefined;
  /** Set if the TLD sells names at the third level only, or that is not known. */
  readonly direct?: RestrictingRule;
  /** What holds for every name under its suffixes that neither DNS nor the registry shows. */
  readonly below?: RestrictingRule;
  /** The length of the shortest label. */
  readonly minLength?: number | undefined;
  /** `none`: the registry sells no internationalised names. Absent: unknown. */
  readonly idn?: "none" | undefined;
  readonly source: string;
  readonly checkedOn: string;
}

/**
 * Reads a table of lines: each has a TLD, the day of its source, words, and after a colon the source. A line that begins with a
 * space continues the one before.
 */
export function readLines(table: string) {
  return table.trim().replaceAll("\n ", " ").split("\n").map((line) => {
    const [about = "", ...source] = line.split(": ");
    const [tlds = "", checkedOn = "", ...words] = about.split(" ");
    return { tlds, checkedOn, words, source: source.join(": ") };
  });
}

/** Servers that a stranger's probe found: each answered for the registry's own name under the TLD. */
function foundByProbe(tlds: string, rdapBase: string): SuffixRow {
  const source = "vacant 0.4.19: the server returned the domain nic.<tld>";
  return { tlds, rdapBase, source, checkedOn: "2026-10-12" };
}

const EURID: WhoisServer = {
  host: "das.eu",
  port: 4343,
  query: "get 1.0 {label}",
  availability: {
    free: ["AVAILABLE", "FREE"],
    taken: ["REGISTERED"],
    withheld: ["RESERVED", "BLOCKED"],
  },
};

const DNS_BELGIUM: WhoisServer = {
  host: "das.dns.be",
  port: 4343,
  availability: {
    free: ["AVAILABLE"],
    taken: ["NOT AVAILABLE"],
    withheld: ["NOT ALLOWED"],
  },
};

const DOMREG: WhoisServer = {
  host: "das.domreg.lt",
  port: 4343,
  query: "get 1.0 {domain}",
  availability: {
    free: ["AVAILABLE"],
    taken: [
      ...["REGISTERED", "PENDINGCREATE", "PENDINGDELETE", "PENDINGRELEASE"],
      ...["STOPPED", "OUTOFSERVICE"],
    ],
    withheld: ["BLOCKED", "RESERVED", "RESTRICTEDDISPOSAL", "RESTRICTEDRIGHTS"],
  },
};

const ROUTE_53 =
  "Amazon Route 53's list of TLDs with their restrictions, the last that was on GitHub";
const REGISTRARS_PAGE = "support.enom.com/en/support/solutions/articles/201000065278";

/** Who may register under TLDs of which nothing else is known. */
const REQUIREMENTS = `
au 2026-11-24 Persons and organisations in Australia, or with an Australian trademark: ${REGISTRARS_PAGE}
berlin 2023-04-07 Persons and organisations with a contact in Berlin: ${ROUTE_53}
fr 2026-11-24 Residents and organisations of the European Union, Iceland, Liechtenstein, Norway and Switzerland:
 ${REGISTRARS_PAGE}
ie 2026-09-28 Persons and organisations with a connection to the island of Ireland: iedr.ie/document-requirements; IANA's page
it 2026-09-28 Residents and organisations of the EEA, Switzerland, San Marino and the Vatican:
 register.it/assistenza/faq-domini/domini-it; IANA's page
jp 2026-09-28 Persons and organisations with an address in Japan: supportdomain.freshdesk.com: geographic restrictions; IANA's page
melbourne 2026-11-29 Residents and organisations of Victoria, and those who are associated with it: wiki.hexonet.net, MELBOURNE
music 2026-11-29 Members of the music community, who are verified: registry.music
nyc 2026-11-29 Persons and organisations with a place in New York City: ownit.nyc, eligibility
ruhr 2023-04-07 An administrative contact with an address in Germany: ${ROUTE_53}
sg 2026-11-24 A contact in Singapore: ${REGISTRARS_PAGE}
ua 2026-11-29 Directly below .ua holders of a trademark of the same name that is protected in Ukraine: support.nic.ua/en-us/article/445
wien 2023-04-07 Persons and organisations with an affinity with Vienna: ${ROUTE_53}
`;

/**
 * The rows, read on 2026-11-24 unless they say another day: first RDAP servers that IANA does not list, then availability
 * services, then what else is known.
 */
const ROWS: readonly (Omit<SuffixRow, "checkedOn"> & { readonly checkedOn?: string })[] = [
  {
    // DENIC calls the server a pilot and promises no service level.
    tlds: "de",
    rdapBase: "https://rdap.denic.de/",
    whois: { host: "whois.denic.de", query: "-T dn,ace {domain}" },
    source: "denic.de/en/rdap; whoisit 4.1.0 (2026-10-26); a probe of 2026-07-22",
    checkedOn: "2026-10-26",
  },
  {
    // No WHOIS: the server on port 43 denied the registered t.co.
    tlds: "co",
    rdapBase: "https://rdap.registry.co/co/",
    source: "whoisit 4.1.0 (2026-10-26); a probe of 2026-07-22",
    checkedOn: "2026-10-26",
  },
  {
    // By the words of its WHOIS, a missing record does not mean that a name is available.
    tlds: "us",
    rdapBase: "https://rdap.nic.us/",
    whois: { host: "whois.nic.us" },
    requirements: "Citizens, residents and organisations of the United States (nexus)",
    idn: "none",
    unsure: {
      labels: /^\d{5}|^1?-?8\d\d|^1?-?\d{3}-?\d{3}-?\d{4}/,
      why: "The .us registry reserves ZIP codes and telephone numbers",
    },
    below: {
      kind: "unknown",
      why: "Unknown whether names under localities of .us are given out: their managers decide",
    },
    source:
      `whoisit 4.1.0 (2026-10-26); a probe of 2026-07-22; ${REGISTRARS_PAGE}; about.us/policies/delegated-managers; nic.us, FAQ, as quoted in 2004`,
    checkedOn: "2026-10-26",
  },
  {
    // Its 404 has no body, and in 2025-11 it failed with 503. Port 43 refuses all clients; the registry's other service (port 4343)
    // says the same of a registered name as of one that cannot be registered.
    tlds: "ch",
    rdapBase: "https://rdap.nic.ch/",
    source: "nic.ch/whois/rdap; whoisit 4.1.0 (2026-10-26)",
    checkedOn: "2026-10-26",
  },
  {
    // Its 404 has no body.
    tlds: "li",
    rdapBase: "https://rdap.nic.li/",
    source: "nic.li/whois/rdap; whoisit 4.1.0 (2026-10-26)",
    checkedOn: "2026-10-26",
  },
  {
    tlds: "my",
    rdapBase: "https://rdap.mynic.my/rdap/",
    whois: { host: "whois.mynic.my" },
    source: "whoisit 4.1.0 (2026-10-26); the WHOIS server: IANA's page as read on 2026-09-28",
    checkedOn: "2026-10-26",
  },
  {
    tlds: "gl",
    rdapBase: "https://rdap.centralnic.com/gl/",
    source: "whoisit 4.1.0 (2026-10-26) and rdap-cctld (2022-01-15) name the same server",
    checkedOn: "2026-10-26",
  },
  {
    tlds: "so",
    rdapBase: "https://rdap.nic.so/",
    source: "vacant 0.4.19 (2026-10-12); a probe of 2026-07-22",
    checkedOn: "2026-10-12",
  },
  {
    // The registries' back end has one RDAP server for all.
    tlds: "ac ag bz io lc me mn pr sc sh vc",
    rdapBase: "https://rdap.identitydigital.services/rdap/",
    source: "whoisit 4.1.0 (2026-10-26) and rdap-cctld (2024-04-30) name the same server",
    checkedOn: "2026-10-26",
  },
  foundByProbe("af aw ci ga ki kn kz mr mz sb sy td tl", "https://rdap.nic.{tld}/"),
  foundByProbe("bw", "https://rdap.nic.net.bw/"),
  foundByProbe("vu", "https://rdap.dnrs.vu/"),
  foundByProbe("ws", "https://rdap.website.ws/"),
  {
    tlds: "eu",
    whois: EURID,
    requirements: "Citizens of the European Union, residents and organisations there or in the EEA",
    source: `eurid.org/en/become-registrar/lookup-services (undated); ${REGISTRARS_PAGE}`,
  },
  {
    tlds: "be",
    whois: DNS_BELGIUM,
    source: "docs.dnsbelgium.be/be/general/whoisanddas.html",
  },
  {
    tlds: "lt",
    whois: DOMREG,
    minLength: 2,
    source: "domreg.lt/en/faq/for-registrars/how-to-get-the-information-on-domains",
  },
  {
    tlds: "uk",
    idn: "none",
    unsure: {
      labels: /^(?:ac|co|com|gov|ltd|me|mil|mod|net|nhs|nic|org|plc|police|sch|uk)$/,
      why: "Nominet withholds the names of its own suffixes",
    },
    source:
      "Nominet: its server returned bbc.co.uk on 2026-10-05; its list of names, as read by vacant on 2026-06-15",
    checkedOn: "2026-10-05",
  },
  {
    // Names that were registered before come back through a release process, not to the first who asks.
    tlds: "br",
    requirements: "Persons and organisations in Brazil (CPF or CNPJ)",
    minLength: 2,
    unsure: {
      labels: /^\d+$|-|.{27}/,
      why:
        "Registro.br refuses names of digits, of over 26 characters, or like another but for its hyphens",
    },
    source:
      "The rules of Registro.br, as at pccom.pro/regras-do-dominio; clients on GitHub ask for com.br and net.br",
  },
  {
    tlds: "ar",
    unsure: {
      labels: /^.{3}$/,
      why: "Unknown whether the .ar registry sells names of three characters",
      isDirect: true,
    },
    source: "NIC Argentina, at the opening of .ar in 2020: no names of one to three characters",
    checkedOn: "2026-11-29",
  },
  {
    // CIRA sells a name that exists below a province, and that of a town, to its holder only.
    tlds: "ca",
    requirements: "Canadian presence: citizens, residents, organisations, trademark owners",
    unsure: {
      labels:
        /^(?:village|hamlet|town|city|ville|canada|alberta|british-?columbia|manitoba|new-?brunswick|newfoundland|labrador|northwest-?territories|nova-?scotia|nunavut|ontario|prince-?edward-?island|quebec|saskatchewan|yukon)$/,
      why: "CIRA reserves the names of provinces and words for places",
    },
    below: {
      kind: "forbidden",
      rule: "CIRA has registered no new names under provinces of .ca since October 2010",
    },
    source:
      `${REGISTRARS_PAGE}; support.rebel.ca/hc/en-us/articles/48984257659035 and 48968136134811`,
    checkedOn: "2026-11-29",
  },
  {
    tlds: "ly",
    unsure: {
      labels: /^.{3}$/,
      why: "Names of three characters under .ly are for those with a presence in Libya",
      isDirect: true,
    },
    source: "reg.ly/faq-items",
    checkedOn: "2026-11-29",
  },
  {
    tlds: "name",
    unsure: {
      labels: /^/,
      why:
        "Unknown whether names such as john.smith.name are registered: then smith.name is not sold",
    },
    source: "Its registry, at forum.icann.org/mtg-cmts/name-second-level-comments; Verisign's FAQ",
  },
  {
    tlds: "no",
    requirements:
      "Organisations in Norway's register, and persons with a Norwegian identity number",
    unsure: {
      labels:
        /^(?:akershus|buskerud|hedmark|hordaland|more-og-romsdal|nordland|ostfold|telemark|vestfold|xn--mre-og-romsdal-qqb|xn--stfold-9xa)$/,
      why:
        "Norid registers names under these counties, and the counties themselves for no one else",
      isDirect: true,
    },
    source: "DNSimple, support for .no; Public Suffix List, ICANN section, of 2026-10-22",
    checkedOn: "2026-08-21",
  },
  {
    tlds: "ngo ong",
    requirements: "Organisations of civil society that the registry verifies",
    unsure: { labels: /^/, why: "Names of .ngo and .ong are sold together: one may be taken" },
    source: "pir.org/policies/ngo-ong-policies",
    checkedOn: "2026-11-29",
  },
  {
    tlds: "kr",
    requirements: "Persons and organisations with a postal address in Korea",
    unsure: { labels: /^[\d-]+$/, why: "KISA reserves telephone and special numbers" },
    source: "KISA, by zdnet.co.kr (2020-03-31); icannwiki.org/.kr",
    checkedOn: "2026-11-29",
  },
  ...readLines(REQUIREMENTS).map(({ words, ...row }) => ({
    ...row,
    requirements: words.join(" "),
  })),
];

/** The same, each with the day of its source. */
export const SUFFIX_ROWS: readonly SuffixRow[] = ROWS.map((row) => ({
  checkedOn: "2026-11-24",
  ...row,
}));

/**
 * Generic TLDs that a registrar of 845 TLDs does not sell. Some are sold elsewhere (africa), some were never opened (search):
 * a denial of theirs makes no name available.
 */
export const UNPRICED_TLDS: SuffixRow = {
  tlds: `
abudhabi ads africa alsace amsterdam analytics anquan arab author barcelona baseball bcn
bom book box broadway brussels buy bzh call capetown career case cat catholic circle cologne comsec
coop corsica coupon cpa creditunion cruise data dds docs dot drive dtv dubai durban dvr eat eus
fast film final fly free frl gal gdn gent gop got grocery hamburg hangout helsinki here hot
hotels ist istanbul joburg jot joy koeln kosher krd kred latino lifeinsurance like llp
locker madrid map med meet mls mobile moscow museum nowruz okinawa ollo ott ovh paris pars
pay phone physio pid pin play post quebec radio read realestate realtor reit ren rich rio room
ryukyu safe safety save scholarships scot search secure shia shouji smile song sport spot
stockholm swiss talk tatar tci tirol trust tunes tushu versicherung vlaanderen voting wanggou
weather web wed weibo whoswho wow xihuan xin xn--11b4c3d xn--1ck2e1b xn--1qqw23a xn--30rr7y
xn--3bst00m xn--3ds443g xn--3pxu8k xn--42c2d9a xn--45q11c xn--4gbrim xn--55qw42g xn--55qx5d
xn--6qq986b3xl xn--80adxhks xn--80aqecdr1a xn--80asehdb xn--80aswg xn--9dbq2a xn--9et52u
xn--bck1b9a5dre4c xn--c1avg xn--c2br7g xn--cck2b3b xn--czr694b xn--czru2d xn--d1acj3b
xn--eckvdtc9d xn--efvy88h xn--fct429k xn--fhbei xn--fiq228c5hs xn--g2xx48c xn--gckr3f0f
xn--gk3at1e xn--hxt814e xn--i1b6b1a6a2e xn--imr513n xn--io0a7i xn--j1aef xn--jvr189m xn--kput3i
xn--mgba3a3ejt xn--mgba7c0bbn0a xn--mgbab2bd xn--mgbca7dzdo xn--mgbi4ecexp xn--mgbt3dhd
xn--mk1bu44c xn--mxtq1m xn--ngbc5azd xn--ngbe9e0a xn--ngbrx xn--nqv7f xn--nqv7fs00ema xn--nyqy26a
xn--otu796d xn--p1acf xn--pssy2u xn--rhqv96g xn--rovu88b xn--ses554g xn--t60b56a xn--tckwe
xn--tiq49xqyj xn--vuq861b xn--w4r85el8fhu5dnra xn--xhq521b xn--zfr164b yamaxun you yun zero
zuerich
`,
  unsure: {
    labels: /^/,
    why: "Unknown whether names under .{tld} are sold: no price list at hand has them",
  },
  source: "The price list of Porkbun of 2025-03-22",
  checkedOn: "2025-03-22",
};

/** What is known of a TLD that is newer than these tables: it may be one company's, or not be sold yet. */
export function newRow(tlds: string, { date }: { readonly date: string }): SuffixRow {
  const why = "Unknown whether names under .{tld} are sold: the TLD is new";
  return {
    tlds,
    unsure: { labels: /^/, why },
    source: "IANA's table of RDAP servers, or RDAP_EXTRA",
    checkedOn: date,
  };
}

/**
 * The labels of general suffixes, where companies, associations or persons of any kind register. Under others authorities do,
 * schools, professions or the people of a place, and a missing record does not tell who: `jus.br` is of courts.
 */
const GENERAL =
  /^(?:biz|co|com|firm|gen|id|idv|ind|info|me|name|ne|net|nom|or|org|per|priv|shop|store|web)$/;

/** General by their labels, and yet for network providers or by application: Nominet, .CO Internet, registrars' pages (2026-11-29). */
const RESTRICTED = ["net.ar", "net.sg", "net.uk", "org.co"];

/**
 * Of which labels under a TLD or suffix a missing record proves nothing. Where a country's code is in its own script, the
 * registry may sell names in that alone.
 */
export function unsureUnder(
  suffix: string,
  unsure: Unsure | undefined,
  isIdnCountry: boolean,
): Unsure | undefined {
  if (isIdnCountry) {
    const why = `Unknown whether the .${suffix} registry sells names in Latin letters`;
    return { labels: /^/, why };
  }
  const [tld = "", ...labels] = suffix.split(".").reverse();
  if (RESTRICTED.includes(suffix) || !labels.every((label) => GENERAL.test(label))) {
    return { labels: /^/, why: `Unknown who may register under .${suffix}` };
  }
  if (unsure === undefined || unsure.isDirect && suffix !== tld) return undefined;
  return { labels: unsure.labels, why: unsure.why.replace("{tld}", tld) };
}
