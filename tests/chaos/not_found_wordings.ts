/** The texts of 404s that the registries of a chaos run send. */
import type { Random } from "./random.ts";

/** Members of a 404 that differ by registry or by name. */
export interface Words {
  title?: string;
  description?: unknown;
  notices?: readonly unknown[];
  remarks?: readonly unknown[];
  extra?: Readonly<Record<string, unknown>>;
}

/** Reserved in words that registries are known to use, together with legal words. */
export const LEGAL: readonly ((domain: string) => Words)[] = [
  () => ({
    description: ["Registry Reserved in accordance with the terms and conditions of the registry"],
  }),
  (domain) => ({
    description: [`${domain} is reserved under the terms of the Registry Agreement`],
  }),
  (domain) => ({ description: [`${domain} blocked by BSA under the terms of GlobalBlock`] }),
  () => ({ description: ["Reserved by the Registry under the terms of Specification 5"] }),
  () => ({ description: ["Reserved name (see terms of use)"] }),
  () => ({
    description: [
      "Not available for registration under the terms of the Registry-Registrant Agreement",
    ],
  }),
  () => ({ description: ["Name is not available for registration (access restricted)"] }),
  () => ({ description: ["DPML brand protection: terms and conditions apply"] }),
];

/** Reserved, in words that no known phrase matches. */
export const ODD_WORDS: readonly ((domain: string) => Words)[] = [
  (domain) => ({ description: [`${domain} is withheld`] }),
  () => ({ description: ["Object not found", "This label is in the registry's hold list"] }),
  () => ({ description: ["Ce nom de domaine est retenu par le registre"] }),
  () => ({ description: ["Dieser Name wird von der Registrierungsstelle einbehalten"] }),
  () => ({ description: ["このドメイン名は登録できません"] }),
  () => ({
    notices: [{ title: "Sunrise", description: ["Claims only until the end of the phase"] }],
  }),
  () => ({ title: "Prohibited" }),
];

/** Reserved, in a member or a shape that registries do not usually use. */
export const ODD_SHAPES: readonly ((domain: string) => Words)[] = [
  () => ({ remarks: [{ title: "Registry", description: ["Reserved by the registry"] }] }),
  () => ({ description: [["Registry Reserved"]] }),
  () => ({ extra: { status: ["reserved"] } }),
  (domain) => ({ extra: { objectClassName: "Domain", ldhName: domain } }),
  (domain) => ({ extra: { ldhName: domain, status: ["locked"] } }),
];

/** Wordings that a registry may switch to for every 404; 0 is its own. */
export const WORDINGS: readonly Words[] = [
  {},
  { title: "No Such Object", description: ["No record was found for the object of the query"] },
  { title: "Domain not found", description: [] },
  { title: "Nicht gefunden", description: ["Kein Eintrag"] },
];

/** A made-up label of 20 letters. */
export function madeUpLabel(random: Random): string {
  const letters = Array.from({ length: 20 }, () => random.pick([..."abcdefghijklmnopqrstuvwxyz"]));
  return letters.join("");
}
