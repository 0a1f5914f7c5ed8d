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
    lines([...fields(domain, { handleEnd: "-GDREG" }), UPDATED, "", ...LEGAL_IN_LINES], "\r\n"),
  denial: () =>
    lines([
      "No Data Found",
      "URL of the ICANN Whois Inaccuracy Complaint Form: https://icann.org/wicf/",
      UPDATED,
      "",
      ...LEGAL_IN_LINES,
    ], "\r\n"),
};

const TUCOWS: WhoisForm = {
  record: (domain) => lines([...fields(domain, { handleEnd: "-TRS" }), UPDATED]),
  denial: (domain) => lines([`Domain ${domain} is available for registration`, "", UPDATED]),
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

/** The form of each TLD's server; a TLD without a row has no server. */
export const WHOIS_FORMS: Readonly<Record<string, WhoisForm>> = {
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
