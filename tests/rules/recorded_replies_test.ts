/**
 * Replies of real servers, typed from recordings of 2026-09-30 and from the documents of the servers' software: denials stay
 * denials beside the same server's for a random name, refusals stay refusals, and no legal text fails a test.
 */
import { assert, assertEquals } from "@std/assert";
import { rdapTestReply } from "../../src/rules/tested_server.ts";
import { readNotice } from "../../src/rules/readers/notices.ts";
import { readReply } from "../../src/rules/readers/registry_reply.ts";
import type { AskedName } from "../../src/rules/readers/statements.ts";
import { differences } from "../../src/rules/readers/templates.ts";

const AT = Date.UTC(2026, 8, 30, 14, 50);
const RDAP = "application/rdap+json; charset=utf-8";

interface Recorded {
  readonly what: string;
  readonly tld: string;
  readonly contentType?: string;
  /** The 404 for a name; "" is an empty one. */
  body(domain: string): object | "";
}

const NOMULUS_TERMS = {
  title: "RDAP Terms of Service",
  description: [
    "By querying our Domain Database, you are agreeing to comply with these terms so please read them carefully.",
    "Don't access our Domain Database through the use of high volume, automated electronic processes that send queries or data to the systems of any ICANN-accredited registrar.",
    "We reserve the right to restrict or deny your access to the database if we suspect that you have failed to comply with these terms.",
  ],
};

const CENTRALNIC_TERMS = [
  {
    title: "Status Codes",
    description: [
      "For more information on domain status codes, please visit https://icann.org/epp",
    ],
    links: [{ href: "https://icann.org/epp" }],
  },
  {
    title: "Terms of Use",
    description: [
      "Users accessing this service agree to use the data only for lawful purposes. High-volume, automated access will result in being permanently blacklisted or rate limited.",
    ],
  },
];

const CZ_DISCLAIMER = {
  title: "Disclaimer",
  description: [
    "(c) 2015 CZ.NIC, z.s.p.o.\n\nIntended use of supplied data and information\n\nData contained in the domain name register are appointed only for purposes connected with Internet network administration, as regards a matter connected particularly with holding and using a concrete domain name.\n",
  ],
};

const NOT_FOUND = { errorCode: 404, title: "Not Found" };

const DENIALS: readonly Recorded[] = [
  {
    what: "Google",
    tld: "app",
    body: (domain) => ({
      ...NOT_FOUND,
      lang: "en",
      description: [`${domain} not found`],
      notices: [{
        ...NOMULUS_TERMS,
        links: [{
          rel: "terms-of-service",
          href: "https://www.registry.google/about/rdap/tos.html",
          value: `https://pubapi.registry.google/rdap/domain/${domain}`,
        }],
      }],
    }),
  },
  {
    what: "Radix, of any name that is not registered, premium ones included",
    tld: "online",
    contentType: "application/rdap+json; charset=UTF-8",
    body: (domain) => ({
      ...NOT_FOUND,
      description: [
        `Domain ${domain} is available for registration`,
        "Please visit https://rdap.radix.host/registrars/ for a list of accredited registrars",
      ],
    }),
  },
  {
    what: "Nominet",
    tld: "co.uk",
    contentType: "application/json;charset=utf-8",
    body: (domain) => ({ errorCode: 404, title: `Domain ${domain} not found` }),
  },
  { what: "Verisign", tld: "com", contentType: "application/rdap+json", body: () => "" },
  {
    what: "a host of CentralNic's software",
    tld: "xyz",
    body: (domain) => ({
      ...NOT_FOUND,
      description: [`The ${domain} domain was not found.`],
      notices: CENTRALNIC_TERMS,
    }),
  },
  {
    what: "a registry with CZ.NIC's disclaimer",
    tld: "cz",
    body: () => ({ ...NOT_FOUND, notices: [CZ_DISCLAIMER] }),
  },
  {
    what: "Tucows",
    tld: "fun",
    body: (domain) => ({ ...NOT_FOUND, description: [`Domain Name: ${domain}`, "No match"] }),
  },
];

function asked(label: string, tld: string): AskedName {
  return { label, domain: `${label}.${tld}`, askedAt: AT };
}

function read({ contentType = RDAP, body }: Recorded, { domain }: AskedName, said = body(domain)) {
  return readReply({
    status: 404,
    contentType,
    retryAfter: null,
    age: null,
    body: said === "" ? said : JSON.stringify(said),
  }, { domain, policy: { emptyNotFound: said === "" }, askedAt: AT, now: AT });
}

/** How a 404 is read beside the recorded one for a random name. */
function noticeOf(recorded: Recorded, label: string, said?: object) {
  const random = asked("qwertyuiopasdfghjklzxcvbnmqwer", recorded.tld);
  const reply = rdapTestReply(read(recorded, random), random);
  const template = reply.kind === "denial" ? reply.template : undefined;
  assert(template !== undefined, `${recorded.what} fails its test`);
  const name = asked(label, recorded.tld);
  const answer = read(recorded, name, said);
  return answer.kind === "notFound"
    ? readNotice(differences(answer.statements, name, [template]), name).kind
    : answer.kind;
}

Deno.test("a recorded 404 is plain for every name", () => {
  for (const recorded of DENIALS) {
    for (const label of ["titlesearch-nx-7c41e9", "shoes", "not", "found", "domain", "available"]) {
      assertEquals(noticeOf(recorded, label), "plain", `${label} at ${recorded.what}`);
    }
  }
});

Deno.test("recorded refusals of Tucows and of Google are reserved", () => {
  const [google, tucows] = [DENIALS[0], DENIALS.at(-1)];
  assert(google !== undefined && tucows !== undefined);
  const words = "This name is not available for registration:";
  const description = ["Domain Name: jailbreaks.fun", words, "Registry Reserved"];
  assertEquals(noticeOf(tucows, "jailbreaks", { ...NOT_FOUND, description }), "reserved");
  const expiry = "This domain is currently available for registration in the Expiry Access Period";
  const usual = google.body("gold.app");
  assert(usual !== "");
  const notices = [{ title: "Expiry Access Period", description: [expiry] }];
  assertEquals(noticeOf(google, "gold", { ...usual, notices }), "reserved");
});
