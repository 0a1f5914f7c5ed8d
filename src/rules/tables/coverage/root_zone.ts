/**
 * Of IANA's root zone (list 2026093003) the TLDs that are not closed and have an RDAP base in IANA's table, and those that no
 * other table of this folder names: the file published on 2026-07-14, with the changes up to the one of 2026-09-30 as two clients carry it. The bases are only
 * where the service starts: it reads IANA's own file daily.
 */

/** The day of both lists. */
export const ROOT_ZONE_DATE = "2026-09-30";

/**
 * A base, then its TLDs; a line that begins with a space continues the one before. `{tld}` stands for the TLD, `{TLD}` for
 * the TLD in upper case, and `-` for no base: IANA lists none.
 */
export const ROOT_ZONE = `
https://ccrdap.twnic.tw/taiwan/ xn--kpry57d
https://ccrdap.twnic.tw/tw/ tw
https://keetmans.omadhina.co.na/ na
https://pubapi.registry.google/rdap/ ads app boo channel dad day dev docs drive eat esq fly foo
 hangout here how ing map meet meme mov new nexus page phd play prof rsvp search soy xn--q9jyb4c
 zip
https://rdap.bhregistry.bh/rdap/ bh xn--mgbcpq6gpa1a
https://rdap.blog.fury.ca/rdap/ blog
https://rdap.ca.fury.ca/rdap/ ca
https://rdap.cctld.au/rdap/ au
https://rdap.cctld.uz/ uz
https://rdap.centralnic.com/{tld}/ art audio auto autos baby beauty best boats bond box build cam
 car cars case ceo cfd christmas college cyou dealer diet fans flowers fm fo frl game gd gent
 guitars hair help homes hosting icu inc kred lat llp lol london luxury makeup mom monster
 motorcycles ooo pics protection qpon quest radio reit rent ruhr saarland sbs security skin storage
 theatre tickets vg xn--4gbrim xyz yachts zuerich
https://rdap.dns.pl/ pl
https://rdap.eco.fury.ca/rdap/ eco
https://rdap.fi/rdap/rdap/ fi
https://rdap.flexireg.net/ moscow xn--80adxhks
https://rdap.gmoregistry.net/rdap/ kyoto nagoya okinawa ryukyu shop tokyo yokohama
https://rdap.gtlds.nic.br/ bom final rio
https://rdap.hostmaster.ua/ ua
https://rdap.identitydigital.services/rdap/ academy accountants actor agency ai airforce apartments
 archi army asia associates attorney auction band bargains bet bike bingo bio black blue bm
 boutique broker builders business cab cafe camera camp capital cards care careers cash casino
 catering center chat cheap church circle city claims cleaning clinic clothing coach codes coffee
 community company computer condos construction consulting contact contractors cool coupon coupons
 credit creditcard cruise cruises dance dating deals degree delivery democrat dental dentist
 diamonds digital direct directory discount doctor dog domains education email energy engineer
 engineering enterprises equipment estate events exchange expert exposed express fail family fan
 farm finance financial fish fitness flights florist football forex forsale fund furniture futbol
 fyi gallery games gifts glass global gmbh gold golf got graphics gratis green gripe group guide
 guru haus healthcare helsinki hockey holdings holiday hospital house immo immobilien industries
 info institute insure international investments irish ist istanbul jetzt jewelry jot juegos kaufen
 kids kim kitchen kosher land lawyer lease legal lgbt life lighting limited limo live llc loans
 lotto ltd ltda maison management market marketing markets mba media memorial mobi moda money
 mortgage movie mu navy network news ninja onl organic partners parts pet photography photos
 pictures pink pizza place plumbing plus poker post pro productions promo properties pub recipes
 red rehab reise reisen rentals repair report republican restaurant reviews rich rip rocks run
 safety sale salon sarl scholarships school schule services shiksha shoes shopping show singles ski
 soccer social software solar solutions song spa srl stockholm studio style supplies supply support
 surgery systems tax taxi team technology tennis theater tienda tips tires today tools tours town
 toys trading training travel university vacations vegas ventures vet viajes video villas vin
 vision vote voto voyage watch watches wine works world wtf xin xn--1ck2e1b xn--5tzm5g xn--6frz82g
 xn--bck1b9a5dre4c xn--cck2b3b xn--czrs0t xn--eckvdtc9d xn--fct429k xn--fjq720a xn--gckr3f0f
 xn--gk3at1e xn--jvr189m xn--rovu88b xn--unup4y xn--vhquv xn--w4r85el8fhu5dnra zero zone
https://rdap.isnic.is/rdap/ is
https://rdap.kenic.or.ke/ ke
https://rdap.kiwi.fury.ca/rdap/ kiwi
https://rdap.lbdr.org.lb/ lb
https://rdap.mls.fury.ca/rdap/ mls
https://rdap.mobile-registry.com/rdap/ data dot dtv dvr latino mobile ollo ott phone
https://rdap.ngtld.cn/ weibo xn--55qw42g xn--55qx5d xn--io0a7i xn--zfr164b
https://rdap.nic.net.ng/ ng
https://rdap.nic.or.kr/ kr xn--3e0b707e
https://rdap.nic.sn/whois43/ sn
https://rdap.nic.{tld}/ abogado abudhabi accountant ad adult alsace amsterdam analytics ar arab as
 barcelona baseball basketball bayern bcn beer bible bid biz blackfriday boston brussels buzz bzh
 casa cat catholic club cm compare cooking corsica courses cpa cr cricket cv cx cz date dds design
 download dubai earth eus faith fashion film fishing fit fr gal garden gay gdn grocery gs health hn
 horse hotels ht ink krd law lifeinsurance loan luxe ly madrid melbourne men menu miami ml moe ms
 museum nf nrw nyc one osaka ovh paris party pg photo physio pm porn quebec racing re review rodeo
 rugby science scot sd select sex sport ss stream study sucks surf swiss sydney taipei tattoo tel
 tf trade tube tv vi vip vlaanderen vodka voting weather webcam wedding wf whoswho wiki win work
 xn--80aqecdr1a xn--80asehdb xn--80aswg xn--g2xx48c xn--mgba3a3ejt xn--mgba7c0bbn0a xn--mgbab2bd
 xn--mgbca7dzdo xn--mgbi4ecexp xn--ngbc5azd xn--ngbrx xn--p1acf xn--tiq49xqyj xxx yoga yt zm
https://rdap.nic.{tld}/rdap/ africa capetown durban joburg locker
https://rdap.nic.{tld}/v1/ berlin hamburg versicherung
https://rdap.nixiregistry.in/rdap/ in
https://rdap.nominet.uk/uk/ uk
https://rdap.nominet.uk/{tld}/ author book bot broadway buy call career cymru deal desi fast free
 gop hot jobs joy like med moi now nowruz pars pay pin pn read realestate realtor room safe save
 secure shia smile spot talk tci tunes tushu wales wanggou wed wow xn--mgbt3dhd yamaxun you
https://rdap.norid.no/ no
https://rdap.pandi.id/rdap/ id
https://rdap.publicinterestregistry.org/rdap/ charity foundation gives giving ngo ong org xn--c1avg
 xn--i1b6b1a6a2e xn--nqv7f xn--nqv7fs00ema
https://rdap.radix.host/rdap/ fun host online press pw site space store tech uno website
https://rdap.register.si/ si
https://rdap.registro.br/ br
https://rdap.registry.bar/rdap/ rest
https://rdap.registry.click/rdap/ country diy feedback food forum hiv lifestyle living observer pid
 property realty sexy trust vana
https://rdap.registry.coop/rdap/ creditunion
https://rdap.registry.kfh/rdap/ xn--ngbe9e0a
https://rdap.registry.{tld}/ ec gy
https://rdap.registry.{tld}/rdap/ bar click cloud coop gift hiphop love
https://rdap.registryservices.music/rdap/ music
https://rdap.ricta.org.rw/ rw
https://rdap.ryce-rsp.com/rdap/ cologne koeln tirol wien
https://rdap.sgnic.sg/rdap/ sg
https://rdap.sidn.nl/ nl
https://rdap.ta.sgnic.sg/rdap/ xn--clchc0ea0b2g2a9gcd
https://rdap.teleinfo.cn/ anquan shouji xihuan xn--vuq861b yun
https://rdap.teleinfo.cn/{tld}/ xn--3ds443g xn--fiq228c5hs xn--kput3i xn--nyqy26a xn--rhqv96g
https://rdap.thains.co.th/ th xn--o3cw4h
https://rdap.tonicregistry.to/rdap/ to
https://rdap.twnic.tw/rdap/ xn--mxtq1m
https://rdap.tznic.or.tz/ tz
https://rdap.uniregistry.net/rdap/ link
https://rdap.verisign.com/com/v1/ com
https://rdap.verisign.com/net/v1/ net
https://rdap.y.net.ye/ ye
https://rdap.zdnsgtld.com/{TLD}/ xn--45q11c xn--efvy88h
https://rdap.zdnsgtld.com/{tld}/ ren top wang xn--30rr7y xn--3bst00m xn--6qq986b3xl xn--9et52u
 xn--czr694b xn--czru2d xn--hxt814e xn--imr513n xn--otu796d xn--ses554g
https://rdap.zh.sgnic.sg/rdap/ xn--yfro4i67o
https://restwhois.ngtld.cn/ xn--1qqw23a xn--xhq521b
https://tld-rdap.verisign.com/{tld}/v1/ cc comsec name web xn--11b4c3d xn--3pxu8k xn--42c2d9a
 xn--9dbq2a xn--c2br7g xn--fhbei xn--j1aef xn--mk1bu44c xn--pssy2u xn--t60b56a xn--tckwe
https://whois.kyregistry.ky/rdap/ ky
https://whois.nic.{tld}/rdap/ tatar xn--d1acj3b
https://whois.sr/rdap/ sr
https://www.rdap.fj/ fj
- al ao aq az ba bb bd bs bt cd cf cg ck cu cw cy dj eg er es et fk gi gm gq gr gt gu gw jm jo kh km
 kp kw lk lr mc mh mo mp mt mv ne ni np nr pa ph ps py sv sz tj tt uy va vn za zw
`;

/** The internationalised TLDs of countries (zonedb, 2026-07-01; IANA's types of 2025-11-20). */
export const IDN_CCTLDS = `
xn--2scrj9c xn--3e0b707e xn--3hcrj9c xn--45br5cyl xn--45brj9c xn--4dbrk0ce xn--54b7fta0cc
xn--80ao21a xn--90a3ac xn--90ae xn--90ais xn--clchc0ea0b2g2a9gcd xn--d1alf xn--e1a4c xn--fiqs8s
xn--fiqz9s xn--fpcrj9c3d xn--fzc2c9e2c xn--gecrj9c xn--h2breg3eve xn--h2brj9c xn--h2brj9c8c
xn--j1amh xn--j6w193g xn--kprw13d xn--kpry57d xn--l1acc xn--lgbbat1ad8j xn--mgb9awbf xn--mgba3a4f16a
xn--mgbaam7a8h xn--mgbah1a3hjkrd xn--mgbai9azgqp6j xn--mgbayh7gpa xn--mgbbh1a xn--mgbbh1a71e
xn--mgbc0a9azcg xn--mgbcpq6gpa1a xn--mgberp4a5d4ar xn--mgbgu82a xn--mgbpl2fh xn--mgbtx2b
xn--mgbx4cd0ab xn--mix891f xn--node xn--o3cw4h xn--ogbpf8fl xn--p1ai xn--pgbs0dh xn--q7ce6a
xn--qxa6a xn--qxam xn--rvc1e0am3e xn--s9brj9c xn--wgbh1c xn--wgbl6a xn--xkc2al3hye2a
xn--xkc2dl3a5ee0h xn--y9a3aq xn--yfro4i67o xn--ygbi2ammx
`;
