/** WHOIS servers (port 43) of TLDs without RDAP, in groups of one source. */

/** WHOIS servers that two lists agree on. */
interface WhoisHosts {
  /** A server, then its TLDs. */
  readonly hosts: string;
  readonly source: string;
  readonly checkedOn: string;
}

/**
 * The groups. Left out: servers that only one list names, Identity Digital's, which answer for no TLD any more, and those
 * that answer only addresses with a permission (es).
 */
export const WHOIS_HOSTS: readonly WhoisHosts[] = [
  {
    hosts: `
whois.nic.at at
whois.nic.cl cl
whois.cnnic.cn cn
whois.punktum.dk dk
whois.gg gg
whois.hkirc.hk hk
whois.nic.hu hu
whois.weare.ie ie
whois.nic.it it
whois.jprs.jp jp
whois.nic.la la
whois.dns.lu lu
whois.registre.ma ma
whois.mx mx
whois.pknic.net.pk pk
whois.dns.pt pt
whois.rotld.ro ro
whois.tcinet.ru ru xn--p1ai
whois.iis.se se
`,
    source: "IANA's page of the TLD, as read on 2026-09-28; rfc1036/whois 5.6.6 (2026-02-16)",
    checkedOn: "2026-09-28",
  },
  {
    hosts: `
whois.aeda.net.ae ae xn--mgbaam7a8h
whois.amnic.net am xn--y9a3aq
whois.ax ax
whois.registre.bf bf
whois.register.bg bg
whois1.nic.bi bi
whois.nic.bj bj
whois.bnnic.bn bn
whois.nic.do do
whois.nic.dz dz
whois.tld.ee ee
whois.nic.ge ge
whois.mediaserv.net gf mq
whois.ande.gov.gn gn
whois.isoc.org.il il xn--4dbrk0ce
whois.nic.im im
whois.nic.ir ir xn--mgba3a4f16a
whois.je je
whois.nic.ls ls
whois.nic.lv lv
whois.nic.md md
whois.nic.mg mg
whois.marnet.mk mk xn--d1alf
whois.registry.gov.mm mm
whois.nc nc
whois.iis.nu nu
whois.registry.om om xn--mgb9awbf
kero.yachay.pe pe
whois.registry.qa qa xn--wgbl6a
whois.rnids.rs rs xn--90a3ac
whois.nic.net.sa sa xn--mgberp4a5d4ar
whois.sk-nic.sk sk
whois.nic.sl sl
whois.nic.st st
whois.sx sx
whois.nic.tc tc
whois.nic.tm tm
whois.trabis.gov.tr tr
whois.co.ug ug
whois.nic.ve ve
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
whois.nic.bo bo
whois.cctld.by by
whois.dmdomains.dm dm
whois.nic.gh gh
whois.nic.gp gp
whois.registry.hm hm
whois.dns.hr hr
whois.cmc.iq iq
whois.kg kg
whois.nic.mw mw
whois.irs.net.nz nz
whois.registry.pf pf
whois.nic.sm sm
whois.tcinet.ru su
whois.nic.tg tg
whois.dot.tk tk
whois.ati.tn tn
`,
    source: "IANA's root zone database of 2024-09-20 and rfc1036/whois 5.6.6 (2026-02-16)",
    checkedOn: "2026-02-16",
  },
];
