/** WHOIS servers (port 43) of TLDs without RDAP, in groups of one source. */

/** WHOIS servers that two lists agree on. */
interface WhoisHosts {
  /** A server, in which `{tld}` stands for the TLD, then its TLDs. */
  readonly hosts: string;
  readonly source: string;
  readonly checkedOn: string;
}

/**
 * The groups. Left out: servers that only one list names, Identity Digital's, which answer for no TLD any more, those that
 * answer only addresses with a permission (es), and SIDN's, whose terms (2023-01-01) call automated look-ups abuse (nl).
 */
export const WHOIS_HOSTS: readonly WhoisHosts[] = [
  {
    hosts: `
whois.nic.{tld} at cl hu it la
whois.{tld} gg mx
whois.dns.{tld} lu pt
whois.cnnic.cn cn
whois.punktum.dk dk
whois.hkirc.hk hk
whois.weare.ie ie
whois.jprs.jp jp
whois.registre.ma ma
whois.pknic.net.pk pk
whois.rotld.ro ro
whois.tcinet.ru ru xn--p1ai
whois.iis.se se
`,
    source: "IANA's page of the TLD, as read on 2026-09-28; rfc1036/whois 5.6.6 (2026-02-16)",
    checkedOn: "2026-09-28",
  },
  {
    hosts: `
whois.nic.{tld} bj do dz ge im ls lv md mg sl st tc tm ve
whois.{tld} ax je nc sx
whois.aeda.net.ae ae xn--mgbaam7a8h
whois.amnic.net am xn--y9a3aq
whois.registre.bf bf
whois.register.bg bg
whois1.nic.bi bi
whois.bnnic.bn bn
whois.tld.ee ee
whois.mediaserv.net gf mq
whois.ande.gov.gn gn
whois.isoc.org.il il xn--4dbrk0ce
whois.nic.ir ir xn--mgba3a4f16a
whois.marnet.mk mk xn--d1alf
whois.registry.gov.mm mm
whois.iis.nu nu
whois.registry.om om xn--mgb9awbf
kero.yachay.pe pe
whois.registry.qa qa xn--wgbl6a
whois.rnids.rs rs xn--90a3ac
whois.nic.net.sa sa xn--mgberp4a5d4ar
whois.sk-nic.sk sk
whois.trabis.gov.tr tr
whois.co.ug ug
whois.nixiregistry.in xn--2scrj9c xn--3hcrj9c xn--45br5cyl xn--45brj9c xn--fpcrj9c3d xn--gecrj9c xn--h2breg3eve xn--h2brj9c xn--h2brj9c8c xn--mgbbh1a xn--mgbbh1a71e xn--mgbgu82a xn--rvc1e0am3e xn--s9brj9c xn--xkc2dl3a5ee0h
whois.nic.kz xn--80ao21a
whois.imena.bg xn--90ae
whois.eu xn--e1a4c xn--qxa6a
whois.dotukr.com xn--j1amh
whois.hkirc.hk xn--j6w193g
whois.twnic.net.tw xn--kprw13d
whois.nic.mr xn--mgbah1a3hjkrd
whois.mynic.my xn--mgbx4cd0ab
whois.nic.la xn--q7ce6a
`,
    source: "zonedb (2026-07-01) and rfc1036/whois 5.6.6 (2026-02-16)",
    checkedOn: "2026-07-01",
  },
  {
    hosts: `
whois.nic.{tld} bo gh gp mw sm tg
whois.registry.{tld} hm pf
whois.cctld.by by
whois.dmdomains.dm dm
whois.dns.hr hr
whois.cmc.iq iq
whois.kg kg
whois.irs.net.nz nz
whois.tcinet.ru su
whois.dot.tk tk
whois.ati.tn tn
`,
    source: "IANA's root zone database of 2024-09-20 and rfc1036/whois 5.6.6 (2026-02-16)",
    checkedOn: "2026-02-16",
  },
];
