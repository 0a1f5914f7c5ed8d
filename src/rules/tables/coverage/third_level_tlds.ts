/**
 * Country codes whose registries sell names below their suffixes only, and those of which the sources disagree: a
 * registry's denial of a name directly below such a TLD does not mean that it can be registered. TLDs of which the Public
 * Suffix List calls every label a suffix (ck, er, fk, jm, mm, np, pg) need no row.
 */
import { readLines } from "./suffix_rows.ts";

// The words of each line are the suffixes below the TLD that are sold, the most common first.

/** Those of which the sources agree. */
const AGREED = `
br 2026-11-26 com net org: Registro.br registers in categories (pccom.pro/regras-do-dominio);
 directly below br only universities and names of before 2001 (Wikipedia, 2021-08)
bw 2022-12-11 co org net: nic.net.bw/bw-name-structure (2022-12-11, by Wikipedia): registrations at
 the second level have been stopped
fj 2026-11-26 com net org: domains.fj, question 14 (by Wikipedia, 2023-08); namebeta.com/tlds/fj
gh 2026-08-19 com org edu: Public Suffix List, comment on gh (2026-08-19): not possible at the
 moment; Wikipedia (2024-04)
gu 2026-11-26 com net org: namebeta.com/tlds/gu; Wikipedia (2024-01): accepted only at the third
 level
il 2024-10-21 co org net: ISOC-IL's rules for the allocation of names, section B (version 1.4,
 2010-08); icannwiki.org/.il (2024-10-21)
lb 2024-01-28 com net org: LBDR's registration policy, by Wikipedia (2024-01-28)
lr 2026-11-26 com net org: katzarov-manual.com: applications for lr itself are not accepted;
 Wikipedia: at the third level
mz 2026-11-26 co org ac: namebeta.com/tlds/mz; Wikipedia (2015-05): at the third level
py 2026-11-26 com net org: namebeta.com/tlds/py and Wikipedia: registrations at the second level are
 prohibited
sz 2026-11-26 co org ac: namebeta.com/tlds/sz: only at the third level; Wikipedia (2025-08)
ye 2026-11-26 com net org: Wikipedia (2020-06) and wikimili.com/en/.ye: at the third level
za 2026-11-26 co org net: zadna.org.za: names can only be registered under a second-level domain;
 zarc.web.za (2023-01-06)
zm 2026-11-26 co com org: namebeta.com/tlds/zm and Wikipedia: at the third level, but for internet
 providers
zw 2026-11-26 co org ac: icannwiki.org/.zw: no more registrations directly under zw;
 namebeta.com/tlds/zw
`;

/** Those of which a source says that names directly below the TLD are sold, too. */
const DISPUTED = `
ao 2026-11-26 co it og: The registry's rules of 2001: only at the third level; Wikipedia (2017-07):
 some names are directly below
cy 2026-11-26 com net org: Wikipedia: at the third level; memim.com/.cy: at both levels
gn 2026-11-26 com net org: Wikipedia in English (2017-07): at the third level; in German: at both
 levels
iq 2026-11-26 com net org: The CMC's terms: directly below iq only the presidency and golden names;
 namebeta.com/tlds/iq: mostly at the third level
kw 2026-11-26 com net org: KISR's rules: third-level names; namebeta.com/tlds/kw: at both levels
ni 2026-11-26 com net org: Wikipedia (2024-04): at the third level, with a handful of sites directly
 below; icannwiki.org/.ni: open to all
th 2026-11-26 co in or: THNIC's policy: third-level names; domain-recht.de: names directly below th
 for some, from 2017-04-25 to 2017-06-05
ve 2026-11-26 com net org: Wikipedia (2022-06): only at the third level; later: directly below ve
 since 2024, for owners of trademarks
`;

/** The rows. */
export const THIRD_LEVEL_TLDS = [
  ...readLines(AGREED).map((row) => ({ ...row, isDisputed: false })),
  ...readLines(DISPUTED).map((row) => ({ ...row, isDisputed: true })),
];
