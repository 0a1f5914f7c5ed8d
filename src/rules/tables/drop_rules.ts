/** How long registries keep a name after its registration has ended, as rows. */

/** The days from the end of a registration until the name can be registered again. */
export interface DropRule {
  /** For people; `estimate` where the registry's own rule is not known. */
  readonly rule: string;
  readonly earliestDays: number;
  readonly latestDays: number;
  /**
   * Whether the name goes through redemption and pending delete, which its status shows, as with generic TLDs. Other
   * registries count from the end of the registration alone.
   */
  readonly hasPhases: boolean;
  /** The longest time in which a name has the status `pending delete`, if not as with generic TLDs. */
  readonly pendingDeleteDays?: number;
  readonly source: string;
}

/** After the deletion: 30 days in which it can be undone, then 5 until the purge. */
export const REDEMPTION_DAYS = 30;
/** The same of the last phase alone. */
export const PENDING_DELETE_DAYS = 5;
/** For how long a registry may hold a purged name back, or for how long its purge takes. */
export const HELD_BACK_DAYS = 1;

/** The longest time from the end until a registrar deletes the name: the registry renews it meanwhile. */
const AUTO_RENEW_DAYS = 45;

const PHASES = {
  earliestDays: REDEMPTION_DAYS + PENDING_DELETE_DAYS,
  latestDays: AUTO_RENEW_DAYS + REDEMPTION_DAYS + PENDING_DELETE_DAYS + HELD_BACK_DAYS,
  hasPhases: true,
};

/** Of generic TLDs. */
export const GENERIC_RULE: DropRule = {
  ...PHASES,
  rule: "generic TLDs: up to 45 days of renewal, 30 of redemption, 5 of pending delete",
  source: "RFC 3915; ICANN's Expired Registration Recovery Policy; held back for a day at most",
};

/** Of country codes without a row: most use the same software and the same phases. */
export const ESTIMATED_RULE: DropRule = { ...PHASES, rule: "estimate", source: "none was found" };

const calendar = (
  rule: string,
  [earliestDays, latestDays]: readonly [number, number],
  source: string,
): DropRule => ({ rule, earliestDays, latestDays, hasPhases: false, source });

/** Of country codes with calendars of their own, by TLD. */
export const DROP_RULES: ReadonlyMap<string, DropRule> = new Map([
  [
    "au",
    {
      ...calendar(
        ".au: 30 days, then a day on the published drop list, then the next daily purge",
        [31, 33],
        "auDA's Domain Renewal, Expiry and Deletion Policy, as Afilias explains it (2018-07-16); read in 2026",
      ),
      // A name that auDA itself deletes waits for 14 days, one that its holder deletes for 3.
      pendingDeleteDays: 14,
    },
  ],
  ["eu", calendar(".eu: 40 days of quarantine", [40, 41], "observed by third parties, 2026")],
  ["fi", calendar(".fi: one month", [30, 32], "Traficom, read in 2026")],
  [
    "id",
    calendar(".id: 35, 30 and 7 days", [37, 72], "PANDI, read in 2026"),
  ],
  ["pl", calendar(".pl: 30 and 5 days", [30, 36], "dns.pl, read in 2026")],
  [
    "se",
    calendar(
      ".se: deactivated after 10 days, then released on a day that the registry publishes",
      [10, 90],
      "the registry, read in 2026; the last day is an estimate",
    ),
  ],
  ["uk", calendar(".uk: about 90 days", [90, 97], "observed by third parties, 2026")],
]);
