/** The texts of registries' WHOIS servers, in the form of each. Their legal text is our own, with the usual words. */

/** The texts of one server. */
export interface WhoisForm {
  record(domain: string): string;
  denial(domain: string): string;
  /** What a query must begin with; without it the server lists similar names. */
  prefix?: string;
}

const UPDATED = ">>> Last update of WHOIS database: 2026-09-30T14:49:51Z <<<";

const LEGAL =
  "Terms of Use: Access to WHOIS information is provided to assist persons in determining the contents of a domain " +
  "name registration record in the registry database. All rights reserved. You agree that you may use this data only " +
  "for lawful purposes; high volume, automated queries are prohibited, and we reserve the right to restrict your " +
  "access to the service at any time. Premium and reserved names may not be listed.";

const LEGAL_IN_LINES =
  `NOTICE: The expiration date displayed in this record is the date on which the
registrar's sponsorship of the registration in the registry is set to expire.

TERMS OF USE: You are not authorized to access or query our WHOIS database
through electronic processes that are high-volume and automated. The data is
provided for information purposes only. Access may be restricted or blocked
without notice. All rights reserved.`;

/** Without a title, and broken where a line is full. */
const LEGAL_AT_LAST =
  `This information has been redacted, as a Temporary Specification demands; it must
not be used for mass mail or for automated access.

The registry may change these terms. By sending a query you accept them. All rights
reserved.`;

/** A list below an empty line. */
const LEGAL_IN_POINTS =
  `The service gives information about domain names of this registry, as it is.

By using it you accept that:
* a name that it calls 'available' may not be available for registration,
* we may restrict or end your access to it at any time, and
* its information must not be copied or used for mass mail, which is prohibited.

We may withdraw these terms at any time.`;

/** The fields of gTLDs; a name stands for `{}`, or in upper case for `{UPPER}`. */
const FIELDS = `Domain Name: {}
Registry Domain ID: 110042-LAB
Registrar WHOIS Server:
Registrar URL:
Updated Date: 2026-09-03T10:48:03Z
Creation Date: 2011-03-04T05:06:07Z
Registry Expiry Date: 2031-03-04T05:06:07Z
Registrar: Lab Registrar Ltd
Registrar IANA ID: 9999
Domain Status: clientDeleteProhibited https://icann.org/epp#clientDeleteProhibited
Name Server: ns1.hosting.example
Name Server: ns2.hosting.example
DNSSEC: unsigned
${UPDATED}`;
const UPPER_FIELDS = FIELDS.replace("{}", "{UPPER}");

/** A form by the texts of its record and of its denial, which precede the legal text. */
function form(record: string, denial: string, legal = LEGAL, end = "\n"): WhoisForm {
  const textOf = (text: string) => (domain: string) =>
    `${text}\n\n${legal}\n`.replaceAll("\n", end)
      .replaceAll("{}", domain).replaceAll("{UPPER}", domain.toUpperCase());
  return { record: textOf(record), denial: textOf(denial) };
}

/** Indented, CRLF; a query without `domain` lists what begins with the text. */
const VERISIGN: WhoisForm = {
  ...form(
    UPPER_FIELDS.replace(/^(?!>>>)/gm, "   "),
    `No match for domain "{UPPER}".\n${UPDATED}`,
    LEGAL_IN_LINES,
    "\r\n",
  ),
  prefix: "domain ",
};

const PIR = form(FIELDS, `Domain not found.\n${UPDATED}`);

/** Begins each record with a line of advertisement; its denial has no legal text. */
const IDENTITY_DIGITAL: WhoisForm = {
  record: (domain) =>
    "The registry lock service protects this name; ask your registrar for it.\n\n" +
    PIR.record(domain),
  denial: () => `Domain not found.\n${UPDATED}\n\n`,
};

const GODADDY = form(
  FIELDS,
  `No Data Found
URL of the ICANN Whois Inaccuracy Complaint Form: https://icann.org/wicf/
${UPDATED}`,
  LEGAL_IN_POINTS,
  "\r\n",
);

const TUCOWS = form(
  FIELDS,
  ">>> Domain {} is available for registration\n\n" +
    `>>> The registry has a list of accredited\nregistrars.\n\n${UPDATED}`,
  LEGAL_AT_LAST,
);

const CENTRAL_NIC = form(UPPER_FIELDS, "DOMAIN NOT FOUND", LEGAL_IN_LINES, "\r\n");

const COMMENTS =
  "% Access is for lawful purposes only; high volume, automated queries are refused.";

/** Registries that have no RDAP server, each with its own words for the same fields. */
const COUNTRIES = {
  at: form(
    `domain:         {}
registrar:      Lab
registrant:     LAB1-NICAT
changed:        20250303 09:38:55`,
    "% nothing found",
    COMMENTS,
  ),
  cn: form(
    `Domain Name: {}
ROID: 20110304s10001s1-cn
Sponsoring Registrar: Lab
Registration Time: 2011-03-04`,
    "No matching record.",
  ),
  dk: form(
    `Domain:               {}
Registered:           2011-03-04
Expires:              2031-03-31
Nameservers`,
    "No entries found for the selected source.",
  ),
  ee: form(
    `Domain:
name:       {}
registered: 2011-03-04 04:34:46 +03:00
Registrar:
name:       Lab`,
    "Domain not found",
  ),
  gg: form(
    `Domain:
     {}
Registrar:
     Lab
Registrant:
     Lab Ltd`,
    "NOT FOUND",
    COMMENTS,
  ),
  it: form(
    `Domain:             {}
Status:             ok
Created:            2011-03-04
Expire Date:        2031-03-04`,
    `Domain:             {}
Status:             AVAILABLE`,
  ),
  jp: form(
    `[Domain Name]                   {UPPER}
[Registrant]                    Lab
[Created on]                    2011/03/04`,
    "No match!!",
    "[ The use of this database is restricted to network administration purposes. ]",
  ),
  lu: form(
    `domainname:     {}
domaintype:     RESERVED
ownertype:      ORGANISATION
registrar-name:         Lab`,
    "% No such domain",
    COMMENTS,
  ),
  pt: form(
    `Nome de domínio / Domain Name: {}
Data de registo / Creation Date (dd/mm/yyyy): 04/03/2011
Data de expiração / Expiration Date (dd/mm/yyyy): 04/03/2031`,
    "{} no match",
  ),
  ru: form(
    `domain:        {UPPER}
state:         REGISTERED, NOT DELEGATED
registrar:     LAB-RU
paid-till:     2031-03-04`,
    "No entries found for the selected source(s).",
    COMMENTS,
  ),
  se: form(
    `state:            active
domain:           {}
holder:           (not shown)
created:          2011-03-04
expires:          2031-03-04`,
    'domain "{}" not found.',
  ),
} as const satisfies Record<string, WhoisForm>;

/** The servers of the built-in TLDs. */
const BUILT_IN: [form: WhoisForm, tlds: string][] = [
  [IDENTITY_DIGITAL, "ai io me"],
  [VERISIGN, "cc com net"],
  [GODADDY, "biz tv"],
  [TUCOWS, "cloud online site store tech"],
  [PIR, "org"],
  [CENTRAL_NIC, "xyz"],
];

/** The form of each TLD's server; a TLD without a row has no server. */
export const WHOIS_FORMS: Readonly<Record<string, WhoisForm>> = {
  ...COUNTRIES,
  ...Object.fromEntries(
    BUILT_IN.flatMap(([form, tlds]) => tlds.split(" ").map((tld) => [tld, form])),
  ),
};
