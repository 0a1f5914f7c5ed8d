/** TLDs in which the public can register nothing, grouped by who registers there, each group with its source. */
import type { SuffixRow } from "./suffix_rows.ts";

/** A TLD that its sponsor has to itself. */
function sponsored(tlds: string, operator: string, requirements: string): SuffixRow {
  const source = `IANA: sponsored TLD, operated by ${operator}; tldlist.us/restricted-tlds-list`;
  return { tlds, requirements, source, checkedOn: "2026-11-24" };
}

/** The groups. */
export const CLOSED_TLDS: readonly SuffixRow[] = [
  {
    // Specification 13 of ICANN's registry agreement: registrants are the company, its affiliates and its licensees only.
    tlds: `
aaa aarp abb abbott abbvie abc accenture aco aeg aetna afl aig airbus airtel alibaba alipay
allstate ally alstom amazon americanexpress americanfamily amex amfam amica android anz aol apple
aquarelle arte asda athleta audi audible auspost aws axa azure banamex barclaycard barclays
barefoot bauhaus bbc bbt bbva bcg beats bestbuy bharti bing blockbuster bloomberg bms bmw
bnpparibas boehringer bofa bosch bostik bradesco bridgestone brother calvinklein canon capitalone
caravan cba cbn cbre cern cfa chanel chase chintai chrome cipriani cisco citadel citi citic
clinique clubmed commbank crown cuisinella datsun dell deloitte delta dhl discover dish dnp
dupont dvag edeka emerck epson ericsson eurovision extraspace fage fairwinds farmers fedex ferrari
ferrero fidelity fido fire firestone flickr flir ford fox fresenius frogans frontier fujitsu
gallo gallup gap gea genting george gmail gmo gmx godaddy goldpoint goodyear google grainger gucci
hbo hdfc hdfcbank hermes hisamitsu hitachi hkt homedepot homegoods homesense honda hotmail hsbc
hughes hyatt hyundai ibm icbc ice ieee ifm ikano imdb infiniti intuit ipiranga itau itv jaguar
java jcb jeep jio jll jmp jnj jpmorgan kddi kia kindle komatsu kpmg kpn lamborghini lamer
landrover lanxess latrobe lds leclerc lefrak lego lexus lidl lilly lincoln locus lotte lpl
lplfinancial lundbeck maif man marriott marshalls mattel mckinsey microsoft mini mint mit
mitsubishi mlb monash mormon moto msd mtn mtr nab nba nec netbank netflix neustar next
nextdirect nfl nhk nico nike nikon nissan nissay nokia norton nowtv nra ntt obi omega open
oracle orange origins otsuka panasonic pccw pfizer philips pictet ping pioneer playstation pnc
praxi prime progressive pru prudential pwc reliance rexroth ricoh ril rogers rwe samsclub sandvik
sandvikcoromant sanofi sap sas saxo sbi scb schaeffler schmidt schwarz seat seek sener seven
sew sfr shangrila sharp shell silk sina sky skype sling smart sncf softbank sony stada staples
statebank statefarm suzuki swatch tab taobao target tatamotors tdk temasek teva tiaa tjmaxx tjx
tkmaxx tmall toray toshiba total toyota travelers tui ubank ubs unicom uol ups vanguard verisign
vig viking virgin visa vivo volvo walmart walter weatherchannel weber weir williamhill windows
winners wme woodside wtc xbox xerox xn--5su34j936bgsg xn--8y0a063a xn--9krt00a xn--b4w605ferd
xn--cckwcxetd xn--fiq64b xn--flw351e xn--fzys8d69uvgm xn--jlq480n2rg xn--kcrx77d1x4a xn--w4rs40l
yahoo yandex yodobashi youtube zappos zara
`,
    requirements: "Only the company whose brand it is",
    source:
      "ICANN's list of Specification 13 (2019-12-24), all still tagged brand in zonedb (2026-07-01); without those sold since: case (domainincite.com/tag/dot-brands), and by a price list of 2025-03-22 diy, food, monster, nexus, sbs",
    checkedOn: "2026-07-01",
  },
  {
    // Without Specification 13, but in the hands of an operator of that name, who sells none.
    tlds: `
able agakhan akdn allfinanz aramco baidu booking cal crs dclk erni firmdale ftr gbiz ggee gle
globo goog guge imamat ismaili jprs kerryhotels kerryproperties kfh kuokgroup lacaixa lasalle
mango merck merckmsd mma office olayan olayangroup pohl politie prod redumbrella richardli sakura
samsung sohu star stc stcgroup thd travelersinsurance trv tvs viva xn--cg4bki xn--qcka1pmc
xn--vermgensberater-ctb xn--vermgensberatung-pwb
`,
    requirements: "Only the company that operates it",
    source: "zonedb (2026-07-01): tagged brand or closed, operated by the company itself",
    checkedOn: "2026-07-01",
  },
  sponsored("gov", "CISA", "Only governments in the United States"),
  sponsored("mil", "the DoD", "Only the armed forces of the United States"),
  sponsored(
    "edu",
    "EDUCAUSE",
    "Only accredited institutions of higher education in the United States",
  ),
  sponsored("int", "IANA", "Only organisations that governments founded by treaty"),
  {
    tlds: "arpa",
    requirements: "Only the infrastructure of the internet",
    source: "IANA: infrastructure TLD, operated by the IAB",
    checkedOn: "2026-07-01",
  },
  {
    tlds: "bank insurance",
    requirements: "Only verified banks and insurers",
    source:
      "tldlist.us/restricted-tlds-list; help.101domain.com/kb/domain-registration-requirements",
    checkedOn: "2026-11-24",
  },
  {
    tlds: "pharmacy",
    requirements: "Only licensed pharmacies",
    source: "tldlist.us/restricted-tlds-list",
    checkedOn: "2026-11-24",
  },
  {
    tlds: "aero",
    requirements: "Only the aviation industry, with an identifier of the registry",
    source:
      "nic.ru/help/special-domains-aero-kz-bank-eco-and-spa_13777.html; 101domain.com/rules.htm",
    checkedOn: "2026-11-24",
  },
  {
    tlds: "gb",
    requirements: "No one: IANA reserves it",
    source: "zonedb (2026-07-01): operator Reserved Domain - IANA",
    checkedOn: "2026-07-01",
  },
  {
    tlds: "bv sj",
    requirements: "No one: Norid has not opened it",
    source: "zonedb (2026-07-01): tagged closed; rfc1036/whois 5.6.6: no server",
    checkedOn: "2026-07-01",
  },
];
