/** A notice of an RDAP answer. */
export interface Notice {
  title?: string;
  description: readonly string[];
  links?: readonly { href: string; rel?: string; type?: string; value?: string }[];
}

/** Terms of service found by their title; they contain "reserve" and "restrict". */
export const TITLED_TERMS: Notice = {
  title: "RDAP Terms of Service",
  description: [
    "Querying this database means that you accept these terms.",
    "We reserve the right to restrict or deny access, and to change these terms at any time.",
    "Access may be blocked when queries come in too high a volume.",
  ],
};

/** Terms of service that only their link identifies. */
export const LINKED_TERMS: Notice = {
  title: "Legal notice",
  description: [
    "Copyright of the registry. All rights reserved.",
    "Premium names, reserved names and restricted names are subject to other conditions.",
  ],
  links: [{ href: "https://registry.example/terms", rel: "terms-of-service", type: "text/html" }],
};

/** Verisign's terms: short, with a link without `rel`. */
export const TERMS_OF_USE: Notice = {
  title: "Terms of Use",
  description: ["Use of this service is governed by its terms. All rights reserved."],
  links: [{ href: "https://registry.example/terms-of-use", type: "text/html" }],
};

/** ICANN's notice on status words, in every gTLD registry's answers. */
export const STATUS_CODES: Notice = {
  title: "Status Codes",
  description: [
    "The status codes of domains, reserved and blocked ones too, are explained by ICANN.",
  ],
  links: [{ href: "https://icann.org/epp", rel: "glossary", type: "text/html" }],
};

/** ICANN's notice on wrong data, likewise. */
export const INACCURACY_FORM: Notice = {
  title: "RDDS Inaccuracy Complaint Form",
  description: ["Restricted or wrong data can be reported to ICANN."],
  links: [{ href: "https://icann.org/wicf", rel: "help", type: "text/html" }],
};
