import { assertEquals } from "@std/assert";
import {
  PRICED_REGISTRAR,
  REGISTRARS,
  registrationUrl,
} from "../../src/rules/tables/registrars.ts";

Deno.test("REGISTRARS lists the priced one first", () => {
  assertEquals(REGISTRARS.map(({ slug }) => slug), ["porkbun", "namecheap", "godaddy"]);
  assertEquals(REGISTRARS.map(({ name }) => name), ["Porkbun", "Namecheap", "GoDaddy"]);
  assertEquals(REGISTRARS.map(({ priced }) => priced), [true, false, false]);
  assertEquals(PRICED_REGISTRAR, "Porkbun");
});

Deno.test("registrationUrl() inserts the domain into the plain link", () => {
  assertEquals(REGISTRARS.map((row) => registrationUrl(row, "my-name.com")), [
    "https://porkbun.com/checkout/search?q=my-name.com",
    "https://www.namecheap.com/domains/registration/results/?domain=my-name.com",
    "https://www.godaddy.com/domainsearch/find?domainToCheck=my-name.com",
  ]);
});

Deno.test("registrationUrl() fills an affiliate template with URL-encoded values", () => {
  const [first] = REGISTRARS;
  const template = "https://partner.example/?d={domain}&u={url}&again={domain}";
  assertEquals(
    first && registrationUrl(first, "a&b.com", template),
    "https://partner.example/?d=a%26b.com&u=https%3A%2F%2Fporkbun.com%2Fcheckout%2Fsearch%3Fq%3Da%2526b.com&again=a%26b.com",
  );
});
