/** The texts of registries' WHOIS servers, in the form of each. Their legal text is our own, with the usual words. */

/** The texts of one server. */
export interface WhoisForm {
  record(domain: string): string;
  denial(domain: string): string;
  /** What a query must begin with; without it the server lists similar names. */
  prefix?: string;
}

const UPDATED = ">>> Last update of WHOIS database: 2026-09-30T14:49:51Z <<<";

const LEGAL = [
  "Terms of Use: Access to WHOIS information is provided to assist persons in determining the contents of a domain " +
  "name registration record in the registry database. All rights reserved. You agree that you may use this data only " +
  "for lawful purposes; high volume, automated queries are prohibited, and we reserve the right to restrict your " +
  "access to the service at any time. Premium and reserved names may not be listed.",
];

const LEGAL_IN_LINES = [
  "NOTICE: The expiration date displayed in this record is the date on which the",
  "registrar's sponsorship of the registration in the registry is set to expire.",
  "",
  "TERMS OF USE: You are not authorized to access or query our WHOIS database",
  "through electronic processes that are high-volume and automated. The data is",
  "provided for information purposes only. Access may be restricted or blocked",
  "without notice. All rights reserved.",
];

/** Without a title, and broken where a line is full. */
const LEGAL_AT_LAST = [
  "This information has been redacted, as a Temporary Specification demands; it must",
  "not be used for mass mail or for automated access.",
  "",
  "The registry may change these terms. By sending a query you accept them. All rights",
  "reserved.",
];

/** A list below an empty line. */
const LEGAL_IN_POINTS = [
  "The service gives information about domain names of this registry, as it is.",
  "",
  "By using it you accept that:",
  "* a name that it calls 'available' may not be available for registration,",
  "* we may restrict or end your access to it at any time, and",
  "* its information must not be copied or used for mass mail, which is prohibited.",
  "",
  "We may withdraw these terms at any time.",
];

interface Fields {
  registrar?: string;
  handleEnd: string;
  redacted?: boolean;
}

function fields(domain: string, { registrar = "Lab Registrar Ltd", handleEnd, redacted }: Fields) {
  return [
    `Domain Name: ${domain}`,
    `Registry Domain ID: ${redacted ? "REDACTED" : `${domain.length}0042${handleEnd}`}`,
    "Registrar WHOIS Server:",
    "Registrar URL:",
    "Updated Date: 2026-09-03T10:48:03Z",
    "Creation Date: 2011-03-04T05:06:07Z",
    "Registry Expiry Date: 2031-03-04T05:06:07Z",
    `Registrar: ${registrar}`,
    "Registrar IANA ID: 9999",
    "Domain Status: clientDeleteProhibited https://icann.org/epp#clientDeleteProhibited",
    "Name Server: ns1.hosting.example",
    "Name Server: ns2.hosting.example",
    "DNSSEC: unsigned",
  ];
}

/** Upper case, indented, CRLF; a query without `domain` lists what begins with the text. */
const VERISIGN: WhoisForm = {
  prefix: "domain ",
  record: (domain) =>
    lines([
      ...fields(domain.toUpperCase(), { handleEnd: "_DOMAIN_COM-VRSN" }).map((line) =>
        `   ${line}`
      ),
      UPDATED,
      "",
      ...LEGAL_IN_LINES,
    ], "\r\n"),
  denial: (domain) =>
    lines([
      `No match for domain "${domain.toUpperCase()}".`,
      UPDATED,
      "",
      ...LEGAL_IN_LINES,
    ], "\r\n"),
};

/** Begins each record with a line of advertisement; its denial has no legal text. */
const IDENTITY_DIGITAL: WhoisForm = {
  record: (domain) =>
    lines([
      "The registry lock service protects this name; ask your registrar for it.",
      "",
      ...fields(domain, { handleEnd: "-DONUTS", redacted: true }),
      UPDATED,
      "",
      ...LEGAL,
    ]),
  denial: () => lines(["Domain not found.", UPDATED, ""]),
};

const PIR: WhoisForm = {
  record: (domain) =>
    lines([...fields(domain, { handleEnd: "-LROR", redacted: true }), UPDATED, "", ...LEGAL]),
  denial: () => lines(["Domain not found.", UPDATED, "", ...LEGAL]),
};

const GODADDY: WhoisForm = {
  record: (domain) =>
    lines([...fields(domain, { handleEnd: "-GDREG" }), UPDATED, "", ...LEGAL_IN_POINTS], "\r\n"),
  denial: () =>
    lines([
      "No Data Found",
      "URL of the ICANN Whois Inaccuracy Complaint Form: https://icann.org/wicf/",
      UPDATED,
      "",
      ...LEGAL_IN_POINTS,
    ], "\r\n"),
};

const TUCOWS: WhoisForm = {
  record: (domain) =>
    lines([...fields(domain, { handleEnd: "-TRS" }), UPDATED, "", ...LEGAL_AT_LAST]),
  denial: (domain) =>
    lines([
      `>>> Domain ${domain} is available for registration`,
      "",
      ">>> The registry has a list of accredited",
      "registrars.",
      "",
      UPDATED,
      "",
      ...LEGAL_AT_LAST,
    ]),
};

const CENTRAL_NIC: WhoisForm = {
  record: (domain) =>
    lines([
      ...fields(domain.toUpperCase(), { handleEnd: "-CNIC" }),
      UPDATED,
      "",
      ...LEGAL_IN_LINES,
    ], "\r\n"),
  denial: () => lines(["DOMAIN NOT FOUND", "", ...LEGAL_IN_LINES], "\r\n"),
};

/** A registry of a country: the lines of a record after the name, and of a denial. */
function ofCountry(
  nameLines: (domain: string) => readonly string[],
  further: readonly string[],
  denial: (domain: string) => string,
  legal: readonly string[] = LEGAL,
): WhoisForm {
  return {
    record: (domain) => lines([...nameLines(domain), ...further, "", ...legal]),
    denial: (domain) => lines([denial(domain), "", ...legal]),
  };
}

const COMMENTS = [
  "% Access is for lawful purposes only; high volume, automated queries are refused.",
];

/** Registries that have no RDAP server, each with its own words for the same fields. */
const COUNTRIES = {
  at: ofCountry(
    (domain) => [`domain:         ${domain}`],
    ["registrar:      Lab", "registrant:     LAB1-NICAT", "changed:        20250303 09:38:55"],
    () => "% nothing found",
    COMMENTS,
  ),
  cn: ofCountry(
    (domain) => [`Domain Name: ${domain}`],
    ["ROID: 20110304s10001s1-cn", "Sponsoring Registrar: Lab", "Registration Time: 2011-03-04"],
    () => "No matching record.",
  ),
  dk: ofCountry(
    (domain) => [`Domain:               ${domain}`],
    ["Registered:           2011-03-04", "Expires:              2031-03-31", "Nameservers"],
    () => "No entries found for the selected source.",
  ),
  ee: ofCountry(
    (domain) => ["Domain:", `name:       ${domain}`],
    ["registered: 2011-03-04 04:34:46 +03:00", "Registrar:", "name:       Lab"],
    () => "Domain not found",
  ),
  gg: ofCountry(
    (domain) => ["Domain:", `     ${domain}`],
    ["Registrar:", "     Lab", "Registrant:", "     Lab Ltd"],
    () => "NOT FOUND",
    COMMENTS,
  ),
  it: ofCountry(
    (domain) => [`Domain:             ${domain}`],
    ["Status:             ok", "Created:            2011-03-04", "Expire Date:        2031-03-04"],
    (domain) => `Domain:             ${domain}\nStatus:             AVAILABLE`,
  ),
  jp: ofCountry(
    (domain) => [`[Domain Name]                   ${domain.toUpperCase()}`],
    ["[Registrant]                    Lab", "[Created on]                    2011/03/04"],
    () => "No match!!",
    ["[ The use of this database is restricted to network administration purposes. ]"],
  ),
  lu: ofCountry(
    (domain) => [`domainname:     ${domain}`],
    ["domaintype:     RESERVED", "ownertype:      ORGANISATION", "registrar-name:         Lab"],
    () => "% No such domain",
    COMMENTS,
  ),
  pt: ofCountry(
    (domain) => [`Nome de domínio / Domain Name: ${domain}`],
    [
      "Data de registo / Creation Date (dd/mm/yyyy): 04/03/2011",
      "Data de expiração / Expiration Date (dd/mm/yyyy): 04/03/2031",
    ],
    (domain) => `${domain} no match`,
  ),
  ru: ofCountry(
    (domain) => [`domain:        ${domain.toUpperCase()}`],
    [
      "state:         REGISTERED, NOT DELEGATED",
      "registrar:     LAB-RU",
      "paid-till:     2031-03-04",
    ],
    () => "No entries found for the selected source(s).",
    COMMENTS,
  ),
  se: ofCountry(
    (domain) => ["state:            active", `domain:           ${domain}`],
    [
      "holder:           (not shown)",
      "created:          2011-03-04",
      "expires:          2031-03-04",
    ],
    (domain) => `domain "${domain}" not found.`,
  ),
} as const satisfies Record<string, WhoisForm>;

/** The form of each TLD's server; a TLD without a row has no server. */
export const WHOIS_FORMS: Readonly<Record<string, WhoisForm>> = {
  ...COUNTRIES,
  ai: IDENTITY_DIGITAL,
  biz: GODADDY,
  cc: VERISIGN,
  cloud: TUCOWS,
  com: VERISIGN,
  io: IDENTITY_DIGITAL,
  me: IDENTITY_DIGITAL,
  net: VERISIGN,
  online: TUCOWS,
  org: PIR,
  site: TUCOWS,
  store: TUCOWS,
  tech: TUCOWS,
  tv: GODADDY,
  xyz: CENTRAL_NIC,
};

function lines(texts: readonly string[], end = "\n"): string {
  return texts.map((text) => text + end).join("");
}
