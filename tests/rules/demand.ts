/**
 * What users of one WHOIS API asked about: its look-ups of 2026-08-29 to 2026-09-28 by TLD, as published on GitHub in
 * estevecastells/whois-parser-next (docs/audits/data/domscan-whois-usage-2026-09-28.csv). 44,975 look-ups in all.
 */

const MORE_THAN_ONCE = `
com=16887 io=2907 net=2794 org=2231 lu=1948 vip=1761 app=1316 us=1199 ai=1132 site=650 de=638
info=617 club=608 co=566 dev=496 shop=470 live=432 xyz=345 gift=323 today=306 pro=302 asia=252
in=252 eu=194 microsoft=186 pt=182 store=181 me=168 nl=160 cloud=159 ca=155 ac=154 cc=151 za=139
cl=130 ie=121 help=118 kr=118 es=114 uk=108 gifts=102 giving=102 se=101 top=101 sbs=93 ceo=91
events=85 id=85 tv=85 my=81 ph=71 promo=68 mx=65 au=64 tech=58 click=53 sx=52 art=51 fun=50
love=50 biz=49 blog=45 games=45 be=43 ru=43 cn=42 link=41 homes=40 quest=40 to=40 win=40 it=37
money=37 bet=35 casino=35 day=35 mobi=35 network=35 gives=34 studio=33 support=33 icu=30 jp=30
mt=29 online=29 life=27 services=27 space=27 br=26 photography=23 ro=23 sg=23 world=23 bio=22
ly=22 news=21 company=20 cfd=19 email=19 foundation=19 ms=19 best=18 business=18 fi=18 open=18
solutions=18 team=18 fr=17 one=17 at=16 gr=16 gg=15 la=14 xn--p1ai=14 ch=13 ng=13 market=12
education=11 media=11 ws=11 you=11 builders=10 dk=10 edu=10 how=9 no=9 digital=8 hn=8 lat=8 pk=8
py=8 africa=7 hk=7 pl=7 sh=7 wiki=7 hu=6 is=6 ma=6 red=6 reviews=6 ag=5 coffee=5 cz=5 futbol=5
inc=5 nu=5 rehab=5 st=5 tf=5 tr=5 ae=4 berlin=4 design=4 ge=4 google=4 green=4 im=4 mn=4 mp=4 mu=4
su=4 tn=4 vg=4 vn=4 apple=3 ar=3 bank=3 beer=3 dhl=3 do=3 gt=3 il=3 kz=3 ls=3 lt=3 ne=3 ntt=3
place=3 qpon=3 rs=3 sa=3 software=3 sr=3 yun=3 zone=3 al=2 am=2 az=2 bj=2 bond=2 bot=2 bz=2 cyou=2
earth=2 ee=2 gm=2 gov=2 health=2 ink=2 je=2 lv=2 md=2 np=2 page=2 sd=2 sk=2 so=2 surf=2 tl=2 tm=2
travel=2 wedding=2
`;

const ONCE = `
able aero af amazon ao arpa as asda ax bayern bf bg bh bi bid bike bn bo bt build bw cf chat
church ci codes consulting contact cool cr cy date delivery dj dm eg er et expert finance ga game
gf gh gl glass gp gq gw hamburg hr immo immobilien international iq ir jo kaufen ke kg ki km kn
koeln law lc legal li living lk loans lol london mc mg mk mm mq mr mv mw name new ngo ni nr nz om
ong onl pa pe porn pr ps qa reisen rocks ruhr sb sc scot security si skin sl sv td tennis tg tj
tools tt ug vc vu web website wien xn--fiqs8s zw
`;

/** Look-ups by TLD. */
export const DEMAND: ReadonlyMap<string, number> = new Map([
  ...MORE_THAN_ONCE.trim().split(/\s+/).map((pair): [string, number] => {
    const [tld = "", count] = pair.split("=");
    return [tld, Number(count)];
  }),
  ...ONCE.trim().split(/\s+/).map((tld): [string, number] => [tld, 1]),
]);

/** Look-ups of names whose last label is no TLD of the root zone: misspelt names and names of files. */
export const WITHOUT_TLD = 406;
