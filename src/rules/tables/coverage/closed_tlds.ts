/** TLDs in which the public can register nothing, grouped by who registers there, each group with its source. */
import { readLines, type SuffixRow } from "./suffix_rows.ts";

/** Those of one kind of registrant: the TLD, the day, who registers there, and after a colon the source. */
const SINGLE = `
aero 2026-11-24 Only the aviation industry, with an identifier of the registry:
 nic.ru/help/special-domains-aero-kz-bank-eco-and-spa_13777.html; 101domain.com/rules.htm
arpa 2026-07-01 Only the infrastructure of the internet: IANA: infrastructure TLD, operated by the IAB
bank 2026-11-24 Only verified banks and insurers: tldlist.us/restricted-tlds-list;
 help.101domain.com/kb/domain-registration-requirements
bv 2026-07-01 No one, as Norid has not opened it: zonedb (2026-07-01): tagged closed; rfc1036/whois 5.6.6: no server
edu 2026-11-24 Only accredited institutions of higher education in the United States: IANA: sponsored TLD, operated by
 EDUCAUSE; tldlist.us/restricted-tlds-list
gb 2026-07-01 No one, as IANA reserves it: zonedb (2026-07-01): operator Reserved Domain - IANA
gov 2026-11-24 Only governments in the United States: IANA: sponsored TLD, operated by CISA; tldlist.us/restricted-tlds-list
insurance 2026-11-24 Only verified banks and insurers: tldlist.us/restricted-tlds-list;
 help.101domain.com/kb/domain-registration-requirements
int 2026-11-24 Only organisations that governments founded by treaty: IANA: sponsored TLD, operated by IANA;
 tldlist.us/restricted-tlds-list
mil 2026-11-24 Only the armed forces of the United States: IANA: sponsored TLD, operated by the DoD;
 tldlist.us/restricted-tlds-list
pharmacy 2026-11-24 Only licensed pharmacies: tldlist.us/restricted-tlds-list
sj 2026-07-01 No one, as Norid has not opened it: zonedb (2026-07-01): tagged closed; rfc1036/whois 5.6.6: no server
`;

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
  ...readLines(SINGLE).map(({ words, ...row }) => ({ ...row, requirements: words.join(" ") })),
];
