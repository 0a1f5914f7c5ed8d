/**
 * The suffixes of more than one label under which registries register names: the ICANN section of the Public Suffix List
 * (publicsuffix.org), version 2026-10-22_08-36-41_UTC, as A-labels. The TLDs themselves stand in the other tables.
 *
 * The list, and so this file, is subject to the terms of the Mozilla Public License, v. 2.0: https://mozilla.org/MPL/2.0/.
 */

/** The day of the list. */
export const PUBLIC_SUFFIX_DATE = "2026-10-22";

/**
 * Suffixes, a colon, and the labels that are public suffixes below each of them; a line that begins with a space continues the
 * one before. `*`: each label below is one; `!label`: all but this one.
 */
export const PUBLIC_SUFFIXES = `
ac al ba iq kg kz sy to vc ye: com edu gov mil net org
ae: ac co gov mil net org sch
aero: airline airport accident-investigation accident-prevention aerobatic aeroclub aerodrome agents
 air-surveillance air-traffic-control aircraft airtraffic ambulance association author ballooning
 broker caa cargo catering certification championship charter civilaviation club conference
 consultant consulting control council crew design dgca educator emergency engine engineer
 entertainment equipment exchange express federation flight freight fuel gliding government
 groundhandling group hanggliding homebuilt insurance journal journalist leasing logistics magazine
 maintenance marketplace media microlight modelling navigation parachuting paragliding
 passenger-association pilot press production recreation repbody res research rotorcraft safety
 scientist services show skydiving software student taxi trader trading trainer union workinggroup
 works
af bh bm bn bs bt gr kh lb lr mo ms sb sc sg sl ws: com edu gov net org
ag: co com net nom org
ai: com net off org
am: co com commune net org
ao: co ed edu gov gv it og org pb
ar: bet com coop edu gob gov int mil musica mutual net org seg senasa tur
arpa: e164 home in-addr ip6 iris uri urn
as bf cd cx cz ie lt mr pw sx tl nc.tr: gov
at: ac co gv or
ac.at: sth
au: asn com edu gov id net org conf oz act nsw nt qld sa tas vic wa
edu.au: act catholic nsw nt qld sa tas vic wa
gov.au: qld sa tas vic wa
aw: com
az: biz co com edu gov info int mil name net org pp pro
bb: biz co com edu gov info net org store tv
bd: ac ai co com edu gov id info it mil net org sch tv
be: ac
bg: 0 1 2 3 4 5 6 7 8 9 a b c d e f g h i j k l m n o p q r s t u v w x y z
bi: co com edu or org
bj: africa agro architectes assur avocats co com eco econo edu info loisirs money net org ote
 restaurant resto tourism univ
bo: com edu gob int mil net org tv web academia agro arte blog bolivia ciencia cooperativa
 democracia deporte ecologia economia empresa ia indigena industria info medicina movimiento musica
 natural nombre noticias patria plurinacional politica profesional pueblo revista salud tecnologia
 tksat transporte wiki
br: 9guacu abc adm adv agr aju am anani aparecida api app arq art ato b barueri belem bet bhz bib
 bio blog bmd boavista bsb campinagrande campinas caxias cim cng cnt com contagem coop coz cri
 cuiaba curitiba def des det dev ecn eco edu emp enf eng esp etc eti far feira flog floripa fm fnd
 fortal fot foz fst g12 geo ggf goiania gov gru ia imb ind inf jab jampa jdf joinville jor jus leg
 leilao lel log londrina macapa maceio manaus maringa mat med mil morena mp mus natal net niteroi
 not ntr odo ong org osasco palmas poa ppg pro psc psi pvh qsl radio rec recife rep ribeirao rio
 riobranco riopreto salvador sampa santamaria santoandre saobernardo saogonca seg sjc slg slz social
 sorocaba srv taxi tc tec teo the tmp trd tur tv udi vet vix vlog wiki xyz zlg
gov.br: ac al am ap ba ce df es go ma mg ms mt pa pb pe pi pr rj rn ro rr rs sc se sp to
nom.br er fk jm mm np pg sch.uk: *
bw: ac co gov net org
by: gov mil com of
bz dm gy lc: co com edu gov net org
ca: ab bc mb nb nf nl ns nt nu on pe qc sk yk gc
ci: ac xn--aroport-bya asso co com ed edu go gouv int net or org
ck: * !www
cl: co gob gov mil
cm: co com gov net
cn: ac com edu gov mil net org xn--55qx5d xn--od0alg xn--io0a7i ah bj cq fj gd gs gx gz ha hb he hi
 hk hl hn jl js jx ln mo nm nx qh sc sd sh sn sx tj tw xj xz yn zj
co: com edu gov mil net nom org
cr: ac co ed fi go or sa
cu: com edu gob inf nat net org
cv: com edu id int net nome org publ
cw fm ky mt vu: com edu net org
cy: ac biz com ekloges gov ltd mil net org press pro tm
do: art com edu gob gov mil net org sld web
dz: art asso com edu gov net org pol soc tm
ec: abg adm agron arqt art bar chef com cont cpa cue dent dgn disco doc edu eng esm fin fot gal gob
 gov gye ibr info k12 lat loj med mil mktg mon net ntr odont org pro prof psic psiq pub rio rrpp sal
 tech tul tur uio vet xxx
ee: aip com edu fie gov lib med org pri riik
eg: ac com edu eun gov info me mil name net org sci sport tv
es: com edu gob nom org
et: biz com edu gov info name net org
fi: aland
fj: ac biz com edu gov id info mil name net org pro
fr: asso com gouv nom prd tm avoues cci greta huissier-justice
gd: edu gov
ge: com cyb edu gov llc net online org pvt school tnx
gg je: co net org
gh: biz com edu gov mil net org
gi: com edu gov ltd mod org
gl: co com edu net org
gn: ac com edu gov net org
gp: asso com edu mobi net org
gt: com edu gob ind mil net org
gu: com edu gov guam info net org web
hk: com edu gov idv net org xn--ciqpn xn--gmqw5a xn--55qx5d xn--mxtq1m xn--lcvr32d xn--wcvs22d
 xn--gmq050i xn--uc0atv xn--uc0ay4a xn--od0alg xn--zf0avx xn--mk0axi xn--tn0ag xn--od0aq3b
 xn--io0a7i
hn: com edu gob mil net org
hr: com from iz name
ht: adult art asso com coop edu firm gouv info med net org perso pol pro rel shop
hu: 2000 agrar bolt casino city co erotica erotika film forum games hotel info ingatlan jogasz
 konyvelo lakas media news org priv reklam sex shop sport suli szex tm tozsde utazas video
id: ac ai biz co desa go kop mil my net or ponpes sch web xn--9tfky
il: ac co gov idf k12 muni net org
im: ac co com net org tt tv
co.im: ltd plc
in: 5g 6g ac aero ai alumni am bank bihar biz business ca cn co com coop cs delhi dr edu er fin firm
 gen gov gujarat ind info int internet io me mil net nic org pg post pro res school travel tv ub uk
 up us
int: eu
io tm: co com edu gov mil net nom org
ir: ac co gov id net org sch xn--mgba3a4f16a xn--mgba3a4fra
it: edu gov abr abruzzo aosta-valley aostavalley bas basilicata cal calabria cam campania
 emilia-romagna emiliaromagna emr friuli-v-giulia friuli-ve-giulia friuli-vegiulia
 friuli-venezia-giulia friuli-veneziagiulia friuli-vgiulia friuliv-giulia friulive-giulia
 friulivegiulia friulivenezia-giulia friuliveneziagiulia friulivgiulia fvg laz lazio lig liguria lom
 lombardia lombardy lucania mar marche mol molise piedmont piemonte pmn pug puglia sar sardegna
 sardinia sic sicilia sicily taa tos toscana trentin-sud-tirol xn--trentin-sd-tirol-rzb
 trentin-sudtirol xn--trentin-sdtirol-7vb trentin-sued-tirol trentin-suedtirol trentino-a-adige
 trentino-aadige trentino-alto-adige trentino-altoadige trentino-s-tirol trentino-stirol
 trentino-sud-tirol xn--trentino-sd-tirol-c3b trentino-sudtirol xn--trentino-sdtirol-szb
 trentino-sued-tirol trentino-suedtirol trentinoa-adige trentinoaadige trentinoalto-adige
 trentinoaltoadige trentinos-tirol trentinostirol trentinosud-tirol xn--trentinosd-tirol-rzb
 xn--trentinosdtirol-7vb trentinosued-tirol trentinosuedtirol trentinsud-tirol
 xn--trentinsd-tirol-6vb trentinsudtirol xn--trentinsdtirol-nsb trentinsued-tirol trentinsuedtirol
 tuscany umb umbria val-d-aosta val-daosta vald-aosta valle-aosta valle-d-aosta valle-daosta
 valleaosta valled-aosta valledaosta vallee-aoste xn--valle-aoste-ebb vallee-d-aoste
 xn--valle-d-aoste-ehb valleeaoste xn--valleaoste-e7a valleedaoste xn--valledaoste-ebb vao vda ven
 veneto ag agrigento al alessandria alto-adige altoadige an ancona andria-barletta-trani
 andria-trani-barletta andriabarlettatrani andriatranibarletta ao aosta aoste ap aq ar arezzo
 ascoli-piceno ascolipiceno asti at av avellino ba balsan balsan-sudtirol xn--balsan-sdtirol-nsb
 balsan-suedtirol bari barletta-trani-andria barlettatraniandria belluno benevento bergamo bg bi
 biella bl bn bo bologna bolzano bolzano-altoadige bozen bozen-sudtirol xn--bozen-sdtirol-2ob
 bozen-suedtirol br brescia brindisi bs bt bulsan bulsan-sudtirol xn--bulsan-sdtirol-nsb
 bulsan-suedtirol bz ca cagliari caltanissetta campidano-medio campidanomedio campobasso
 carbonia-iglesias carboniaiglesias carrara-massa carraramassa caserta catania catanzaro cb ce
 cesena-forli xn--cesena-forl-mcb cesenaforli xn--cesenaforl-i8a ch chieti ci cl cn co como cosenza
 cr cremona crotone cs ct cuneo cz dell-ogliastra dellogliastra en enna fc fe fermo ferrara fg fi
 firenze florence fm foggia forli-cesena xn--forl-cesena-fcb forlicesena xn--forlcesena-c8a fr
 frosinone ge genoa genova go gorizia gr grosseto iglesias-carbonia iglesiascarbonia im imperia is
 isernia kr la-spezia laquila laspezia latina lc le lecce lecco li livorno lo lodi lt lu lucca
 macerata mantova massa-carrara massacarrara matera mb mc me medio-campidano mediocampidano messina
 mi milan milano mn mo modena monza monza-brianza monza-e-della-brianza monzabrianza monzaebrianza
 monzaedellabrianza ms mt na naples napoli no novara nu nuoro og ogliastra olbia-tempio olbiatempio
 or oristano ot pa padova padua palermo parma pavia pc pd pe perugia pesaro-urbino pesarourbino
 pescara pg pi piacenza pisa pistoia pn po pordenone potenza pr prato pt pu pv pz ra ragusa ravenna
 rc re reggio-calabria reggio-emilia reggiocalabria reggioemilia rg ri rieti rimini rm rn ro roma
 rome rovigo sa salerno sassari savona si siena siracusa so sondrio sp sr ss su sud-sardegna
 sudsardegna xn--sdtirol-n2a suedtirol sv ta taranto te tempio-olbia tempioolbia teramo terni tn to
 torino tp tr trani-andria-barletta trani-barletta-andria traniandriabarletta tranibarlettaandria
 trapani trentino trento treviso trieste ts turin tv ud udine urbino-pesaro urbinopesaro va varese
 vb vc ve venezia venice verbania verbano-cusio-ossola vercelli verona vi vibo-valentia vibovalentia
 vicenza viterbo vr vs vt vv
jo: agri ai com edu eng fm gov mil net org per phd sch tv
jp: ac ad co ed go gr lg ne or aichi akita aomori chiba ehime fukui fukuoka fukushima gifu gunma
 hiroshima hokkaido hyogo ibaraki ishikawa iwate kagawa kagoshima kanagawa kochi kumamoto kyoto mie
 miyagi miyazaki nagano nagasaki nara niigata oita okayama okinawa osaka saga saitama shiga shimane
 shizuoka tochigi tokushima tokyo tottori toyama wakayama yamagata yamaguchi yamanashi xn--ehqz56n
 xn--1lqs03n xn--qqqt11m xn--f6qx53a xn--djrs72d6uy xn--mkru45i xn--0trq7p7nn xn--5js045d xn--kbrq7o
 xn--pssu33l xn--ntsq17g xn--uisz3g xn--6btw5a xn--1ctwo xn--6orx2r xn--rht61e xn--rht27z
 xn--nit225k xn--rht3d xn--djty4k xn--klty5x xn--kltx9a xn--kltp7d xn--c3s14m xn--vgu402c xn--efvn9s
 xn--1lqs71d xn--4pvxs xn--uuwu58a xn--zbx025d xn--8pvr4u xn--5rtp49c xn--ntso0iqx3a xn--elqq16h
 xn--4it168d xn--klt787d xn--rny31h xn--7t0a264c xn--uist22h xn--8ltr62k xn--2m4a15e xn--32vp30h
 xn--4it797k xn--5rtq34k xn--k7yn95e xn--tor131o xn--d5qv7z876c
aichi.jp: aisai ama anjo asuke chiryu chita fuso gamagori handa hazu hekinan higashiura ichinomiya
 inazawa inuyama isshiki iwakura kanie kariya kasugai kira kiyosu komaki konan kota mihama miyoshi
 nishio nisshin obu oguchi oharu okazaki owariasahi seto shikatsu shinshiro shitara tahara takahama
 tobishima toei togo tokai tokoname toyoake toyohashi toyokawa toyone toyota tsushima yatomi
akita.jp: akita daisen fujisato gojome hachirogata happou higashinaruse honjo honjyo ikawa kamikoani
 kamioka katagami kazuno kitaakita kosaka kyowa misato mitane moriyoshi nikaho noshiro odate oga
 ogata semboku yokote yurihonjo
aomori.jp: aomori gonohe hachinohe hashikami hiranai hirosaki itayanagi kuroishi misawa mutsu
 nakadomari noheji oirase owani rokunohe sannohe shichinohe shingo takko towada tsugaru tsuruta
chiba.jp: abiko asahi chonan chosei choshi chuo funabashi futtsu hanamigawa ichihara ichikawa
 ichinomiya inzai isumi kamagaya kamogawa kashiwa katori katsuura kimitsu kisarazu kozaki kujukuri
 kyonan matsudo midori mihama minamiboso mobara mutsuzawa nagara nagareyama narashino narita noda
 oamishirasato omigawa onjuku otaki sakae sakura shimofusa shirako shiroi shisui sodegaura sosa tako
 tateyama togane tohnosho tomisato urayasu yachimata yachiyo yokaichiba yokoshibahikari yotsukaido
ehime.jp: ainan honai ikata imabari iyo kamijima kihoku kumakogen masaki matsuno matsuyama namikata
 niihama ozu saijo seiyo shikokuchuo tobe toon uchiko uwajima yawatahama
fukui.jp: echizen eiheiji fukui ikeda katsuyama mihama minamiechizen obama ohi ono sabae sakai
 takahama tsuruga wakasa
fukuoka.jp: ashiya buzen chikugo chikuho chikujo chikushino chikuzen chuo dazaifu fukuchi hakata
 higashi hirokawa hisayama iizuka inatsuki kaho kasuga kasuya kawara keisen koga kurate kurogi
 kurume minami miyako miyama miyawaka mizumaki munakata nakagawa nakama nishi nogata ogori okagaki
 okawa oki omuta onga onojo oto saigawa sasaguri shingu shinyoshitomi shonai soeda sue tachiarai
 tagawa takata toho toyotsu tsuiki ukiha umi usui yamada yame yanagawa yukuhashi
fukushima.jp: aizubange aizumisato aizuwakamatsu asakawa bandai date fukushima furudono futaba
 hanawa higashi hirata hirono iitate inawashiro ishikawa iwaki izumizaki kagamiishi kaneyama
 kawamata kitakata kitashiobara koori koriyama kunimi miharu mishima namie nango nishiaizu nishigo
 okuma omotego ono otama samegawa shimogo shirakawa showa soma sukagawa taishin tamakawa tanagura
 tenei yabuki yamato yamatsuri yanaizu yugawa
gifu.jp: anpachi ena gifu ginan godo gujo hashima hichiso hida higashishirakawa ibigawa ikeda
 kakamigahara kani kasahara kasamatsu kawaue kitagata mino minokamo mitake mizunami motosu
 nakatsugawa ogaki sakahogi seki sekigahara shirakawa tajimi takayama tarui toki tomika wanouchi
 yamagata yaotsu yoro
gunma.jp: annaka chiyoda fujioka higashiagatsuma isesaki itakura kanna kanra katashina kawaba kiryu
 kusatsu maebashi meiwa midori minakami naganohara nakanojo nanmoku numata oizumi ora ota shibukawa
 shimonita shinto showa takasaki takayama tamamura tatebayashi tomioka tsukiyono tsumagoi ueno
 yoshioka
hiroshima.jp: asaminami daiwa etajima fuchu fukuyama hatsukaichi higashihiroshima hongo jinsekikogen
 kaita kui kumano kure mihara miyoshi naka onomichi osakikamijima otake saka sera seranishi shinichi
 shobara takehara
hokkaido.jp: abashiri abira aibetsu akabira akkeshi asahikawa ashibetsu ashoro assabu atsuma bibai
 biei bifuka bihoro biratori chippubetsu chitose date ebetsu embetsu eniwa erimo esan esashi
 fukagawa fukushima furano furubira haboro hakodate hamatonbetsu hidaka higashikagura higashikawa
 hiroo hokuryu hokuto honbetsu horokanai horonobe ikeda imakane ishikari iwamizawa iwanai kamifurano
 kamikawa kamishihoro kamisunagawa kamoenai kayabe kembuchi kikonai kimobetsu kitahiroshima kitami
 kiyosato koshimizu kunneppu kuriyama kuromatsunai kushiro kutchan kyowa mashike matsumae mikasa
 minamifurano mombetsu moseushi mukawa muroran naie nakagawa nakasatsunai nakatombetsu nanae nanporo
 nayoro nemuro niikappu niki nishiokoppe noboribetsu numata obihiro obira oketo okoppe otaru otobe
 otofuke otoineppu oumu ozora pippu rankoshi rebun rikubetsu rishiri rishirifuji saroma sarufutsu
 shakotan shari shibecha shibetsu shikabe shikaoi shimamaki shimizu shimokawa shinshinotsu shintoku
 shiranuka shiraoi shiriuchi sobetsu sunagawa taiki takasu takikawa takinoue teshikaga tobetsu tohma
 tomakomai tomari toya toyako toyotomi toyoura tsubetsu tsukigata urakawa urausu uryu utashinai
 wakkanai wassamu yakumo yoichi
hyogo.jp: aioi akashi ako amagasaki aogaki asago ashiya awaji fukusaki goshiki harima himeji
 ichikawa inagawa itami kakogawa kamigori kamikawa kasai kasuga kawanishi miki minamiawaji
 nishinomiya nishiwaki ono sanda sannan sasayama sayo shingu shinonsen shiso sumoto taishi taka
 takarazuka takasago takino tamba tatsuno toyooka yabu yashiro yoka yokawa
ibaraki.jp: ami asahi bando chikusei daigo fujishiro hitachi hitachinaka hitachiomiya hitachiota
 ibaraki ina inashiki itako iwama joso kamisu kasama kashima kasumigaura koga miho mito moriya naka
 namegata oarai ogawa omitama ryugasaki sakai sakuragawa shimodate shimotsuma shirosato sowa suifu
 takahagi tamatsukuri tokai tomobe tone toride tsuchiura tsukuba uchihara ushiku yachiyo yamagata
 yawara yuki
ishikawa.jp: anamizu hakui hakusan kaga kahoku kanazawa kawakita komatsu nakanoto nanao nomi
 nonoichi noto shika suzu tsubata tsurugi uchinada wajima
iwate.jp: fudai fujisawa hanamaki hiraizumi hirono ichinohe ichinoseki iwaizumi iwate joboji
 kamaishi kanegasaki karumai kawai kitakami kuji kunohe kuzumaki miyako mizusawa morioka ninohe noda
 ofunato oshu otsuchi rikuzentakata shiwa shizukuishi sumita tanohata tono yahaba yamada
kagawa.jp: ayagawa higashikagawa kanonji kotohira manno marugame mitoyo naoshima sanuki tadotsu
 takamatsu tonosho uchinomi utazu zentsuji
kagoshima.jp: akune amami hioki isa isen izumi kagoshima kanoya kawanabe kinko kouyama makurazaki
 matsumoto minamitane nakatane nishinoomote satsumasendai soo tarumizu yusui
kanagawa.jp: aikawa atsugi ayase chigasaki ebina fujisawa hadano hakone hiratsuka isehara kaisei
 kamakura kiyokawa matsuda minamiashigara miura nakai ninomiya odawara oi oiso sagamihara samukawa
 tsukui yamakita yamato yokosuka yugawara zama zushi
kawasaki.jp kitakyushu.jp kobe.jp nagoya.jp sapporo.jp sendai.jp yokohama.jp: * !city
kochi.jp: aki geisei hidaka higashitsuno ino kagami kami kitagawa kochi mihara motoyama muroto
 nahari nakamura nankoku nishitosa niyodogawa ochi okawa otoyo otsuki sakawa sukumo susaki tosa
 tosashimizu toyo tsuno umaji yasuda yusuhara
kumamoto.jp: amakusa arao aso choyo gyokuto kamiamakusa kikuchi kumamoto mashiki mifune minamata
 minamioguni nagasu nishihara oguni ozu sumoto takamori uki uto yamaga yamato yatsushiro
kyoto.jp: ayabe fukuchiyama higashiyama ide ine joyo kameoka kamo kita kizu kumiyama kyotamba
 kyotanabe kyotango maizuru minami minamiyamashiro miyazu muko nagaokakyo nakagyo nantan oyamazaki
 sakyo seika tanabe uji ujitawara wazuka yamashina yawata
mie.jp: asahi inabe ise kameyama kawagoe kiho kisosaki kiwa komono kumano kuwana matsusaka meiwa
 mihama minamiise misugi miyama nabari shima suzuka tado taiki taki tamaki toba tsu udono ureshino
 watarai yokkaichi
miyagi.jp: furukawa higashimatsushima ishinomaki iwanuma kakuda kami kawasaki marumori matsushima
 minamisanriku misato murata natori ogawara ohira onagawa osaki rifu semine shibata shichikashuku
 shikama shiogama shiroishi tagajo taiwa tome tomiya wakuya watari yamamoto zao
miyazaki.jp: aya ebino gokase hyuga kadogawa kawaminami kijo kitagawa kitakata kitaura kobayashi
 kunitomi kushima mimata miyakonojo miyazaki morotsuka nichinan nishimera nobeoka saito shiiba
 shintomi takaharu takanabe takazaki tsuno
nagano.jp: achi agematsu anan aoki asahi azumino chikuhoku chikuma chino fujimi hakuba hara hiraya
 iida iijima iiyama iizuna ikeda ikusaka ina karuizawa kawakami kiso kisofukushima kitaaiki komagane
 komoro matsukawa matsumoto miasa minamiaiki minamimaki minamiminowa minowa miyada miyota mochizuki
 nagano nagawa nagiso nakagawa nakano nozawaonsen obuse ogawa okaya omachi omi ookuwa ooshika otaki
 otari sakae sakaki saku sakuho shimosuwa shinanomachi shiojiri suwa suzaka takagi takamori takayama
 tateshina tatsuno togakushi togura tomi ueda wada yamagata yamanouchi yasaka yasuoka
nagasaki.jp: chijiwa futsu goto hasami hirado iki isahaya kawatana kuchinotsu matsuura nagasaki
 obama omura oseto saikai sasebo seihi shimabara shinkamigoto togitsu tsushima unzen
nara.jp: ando gose heguri higashiyoshino ikaruga ikoma kamikitayama kanmaki kashiba kashihara
 katsuragi kawai kawakami kawanishi koryo kurotaki mitsue miyake nara nosegawa oji ouda oyodo
 sakurai sango shimoichi shimokitayama shinjo soni takatori tawaramoto tenkawa tenri uda
 yamatokoriyama yamatotakada yamazoe yoshino
niigata.jp: aga agano gosen itoigawa izumozaki joetsu kamo kariwa kashiwazaki minamiuonuma mitsuke
 muika murakami myoko nagaoka niigata ojiya omi sado sanjo seiro seirou sekikawa shibata tagami
 tainai tochio tokamachi tsubame tsunan uonuma yahiko yoita yuzawa
oita.jp: beppu bungoono bungotakada hasama hiji himeshima hita kamitsue kokonoe kuju kunisaki kusu
 oita saiki taketa tsukumi usa usuki yufu
okayama.jp: akaiwa asakuchi bizen hayashima ibara kagamino kasaoka kibichuo kumenan kurashiki maniwa
 misaki nagi niimi nishiawakura okayama satosho setouchi shinjo shoo soja takahashi tamano tsuyama
 wake yakage
okinawa.jp: aguni ginowan ginoza gushikami haebaru higashi hirara iheya ishigaki ishikawa itoman
 izena kadena kin kitadaito kitanakagusuku kumejima kunigami minamidaito motobu nago naha nakagusuku
 nakijin nanjo nishihara ogimi okinawa onna shimoji taketomi tarama tokashiki tomigusuku tonaki
 urasoe uruma yaese yomitan yonabaru yonaguni zamami
osaka.jp: abeno chihayaakasaka chuo daito fujiidera habikino hannan higashiosaka higashisumiyoshi
 higashiyodogawa hirakata ibaraki ikeda izumi izumiotsu izumisano kadoma kaizuka kanan kashiwara
 katano kawachinagano kishiwada kita kumatori matsubara minato minoh misaki moriguchi neyagawa nishi
 nose osakasayama sakai sayama sennan settsu shijonawate shimamoto suita tadaoka taishi tajiri
 takaishi takatsuki tondabayashi toyonaka toyono yao
saga.jp: ariake arita fukudomi genkai hamatama hizen imari kamimine kanzaki karatsu kashima kitagata
 kitahata kiyama kouhoku kyuragi nishiarita ogi omachi ouchi saga shiroishi taku tara tosu
 yoshinogari
saitama.jp: arakawa asaka chichibu fujimi fujimino fukaya hanno hanyu hasuda hatogaya hatoyama
 hidaka higashichichibu higashimatsuyama honjo ina iruma iwatsuki kamiizumi kamikawa kamisato
 kasukabe kawagoe kawaguchi kawajima kazo kitamoto koshigaya kounosu kuki kumagaya matsubushi minano
 misato miyashiro miyoshi moroyama nagatoro namegawa niiza ogano ogawa ogose okegawa omiya otaki
 ranzan ryokami saitama sakado satte sayama shiki shiraoka soka sugito toda tokigawa tokorozawa
 tsurugashima urawa warabi yashio yokoze yono yorii yoshida yoshikawa yoshimi
shiga.jp: aisho gamo higashiomi hikone koka konan kosei koto kusatsu maibara moriyama nagahama
 nishiazai notogawa omihachiman otsu ritto ryuoh takashima takatsuki torahime toyosato yasu
shimane.jp: akagi ama gotsu hamada higashiizumo hikawa hikimi izumo kakinoki masuda matsue misato
 nishinoshima ohda okinoshima okuizumo shimane tamayu tsuwano unnan yakumo yasugi yatsuka
shizuoka.jp: arai atami fuji fujieda fujikawa fujinomiya fukuroi gotemba haibara hamamatsu
 higashiizu ito iwata izu izunokuni kakegawa kannami kawanehon kawazu kikugawa kosai makinohara
 matsuzaki minamiizu mishima morimachi nishiizu numazu omaezaki shimada shimizu shimoda shizuoka
 susono yaizu yoshida
tochigi.jp: ashikaga bato haga ichikai iwafune kaminokawa kanuma karasuyama kuroiso mashiko mibu
 moka motegi nasu nasushiobara nikko nishikata nogi ohira ohtawara oyama sakura sano shimotsuke
 shioya takanezawa tochigi tsuga ujiie utsunomiya yaita
tokushima.jp: aizumi anan ichiba itano kainan komatsushima matsushige mima minami miyoshi mugi
 nakagawa naruto sanagochi shishikui tokushima wajiki
tokyo.jp: adachi akiruno akishima aogashima arakawa bunkyo chiyoda chofu chuo edogawa fuchu fussa
 hachijo hachioji hamura higashikurume higashimurayama higashiyamato hino hinode hinohara inagi
 itabashi katsushika kita kiyose kodaira koganei kokubunji komae koto kouzushima kunitachi machida
 meguro minato mitaka mizuho musashimurayama musashino nakano nerima ogasawara okutama ome oshima
 ota setagaya shibuya shinagawa shinjuku suginami sumida tachikawa taito tama toshima
tottori.jp: chizu hino kawahara koge kotoura misasa nanbu nichinan sakaiminato tottori wakasa yazu
 yonago
toyama.jp: asahi fuchu fukumitsu funahashi himi imizu inami johana kamiichi kurobe nakaniikawa
 namerikawa nanto nyuzen oyabe taira takaoka tateyama toga tonami toyama unazuki uozu yamada
wakayama.jp: arida aridagawa gobo hashimoto hidaka hirogawa inami iwade kainan kamitonda katsuragi
 kimino kinokawa kitayama koya koza kozagawa kudoyama kushimoto mihama misato nachikatsuura shingu
 shirahama taiji tanabe wakayama yuasa yura
yamagata.jp: asahi funagata higashine iide kahoku kaminoyama kaneyama kawanishi mamurogawa mikawa
 murayama nagai nakayama nanyo nishikawa obanazawa oe oguni ohkura oishida sagae sakata sakegawa
 shinjo shirataka shonai takahata tendo tozawa tsuruoka yamagata yamanobe yonezawa yuza
yamaguchi.jp: abu hagi hikari hofu iwakuni kudamatsu mitou nagato oshima shimonoseki shunan tabuse
 tokuyama toyota ube yuu
yamanashi.jp: chuo doshi fuefuki fujikawa fujikawaguchiko fujiyoshida hayakawa hokuto ichikawamisato
 kai kofu koshu kosuge minami-alps minobu nakamichi nanbu narusawa nirasaki nishikatsura oshino
 otsuki showa tabayama tsuru uenohara yamanakako yamanashi
ke: ac co go info me mobi ne or sc
ki nr: biz com edu gov info net org
km: ass com edu gov mil nom org prd tm asso coop gouv medecin notaires pharmaciens presse
 veterinaire
kn: edu gov net org
kp: com edu gov org rep tra
kr: ac ai co es go hs io it kg me mil ms ne or pe re sc busan chungbuk chungnam daegu daejeon
 gangwon gwangju gyeongbuk gyeonggi gyeongnam incheon jeju jeonbuk jeonnam seoul ulsan
kw: com edu emb gov ind net org
la: com edu gov info int net org per
lk: ac assn com edu gov grp hotel int ltd net ngo org sch soc web
ls: ac biz co edu gov info net org sc
lv: asn com conf edu gov id mil net org
ly: com edu gov id med net org plc sch
ma: ac co gov net org press
mc: asso tm
me: ac co edu gov its net org priv
mg: co com edu gov mil nom org prd
mk: com edu gov inf name net org
ml: ac art asso com edu gouv gov info inst net org pr presse
mn: edu gov org
mu: ac co com gov net or org
mv: aero biz com coop edu gov info int mil museum name net org pro
mw: ac biz co com coop edu gov int net org
mx: com edu gob net org
my: biz com edu gov mil name net org
mz: ac adv co edu gov mil net org
na: alt co com gov net org
nc: asso nom
nf: arts com firm info net other per rec store web
ng: com edu gov i mil mobi name net org sch
ni: ac biz co com edu gob in info int mil net nom org web
no: fhs folkebibl fylkesbibl gielda herad idrett kommune museum priv suohkan tjielte uenorge vgs dep
 mil stat aa ah bu fm hl hm jan-mayen mr nl nt of ol oslo rl sf st svalbard tm tr va vf akrehamn
 xn--krehamn-dxa algard xn--lgrd-poac arna bronnoysund xn--brnnysund-m8ac brumunddal bryne drobak
 xn--drbak-wua egersund fetsund floro xn--flor-jra fredrikstad hokksund honefoss xn--hnefoss-q1a
 jessheim jorpeland xn--jrpeland-54a kirkenes kopervik krokstadelva langevag xn--langevg-jxa leirvik
 mjondalen xn--mjndalen-64a mo-i-rana mosjoen xn--mosjen-eya nesoddtangen orkanger osoyro
 xn--osyro-wua raholt xn--rholt-mra sandnessjoen xn--sandnessjen-ogb skedsmokorset slattum
 spjelkavik stathelle stavern stjordalshalsen xn--stjrdalshalsen-sqb tananger tranby vossevangen
 aarborte aejrie afjord xn--fjord-lra agdenes aknoluokta xn--koluokta-7ya57h al xn--l-1fa alaheadju
 xn--laheadju-7ya alesund xn--lesund-hua alstahaug alta xn--lt-liac alvdal amli xn--mli-tla amot
 xn--mot-tla andasuolo andebu andoy xn--andy-ira ardal xn--rdal-poa aremark arendal xn--s-1fa aseral
 xn--seral-lra asker askim askoy xn--asky-ira askvoll asnes xn--snes-poa audnedal aukra aure aurland
 aurskog-holand xn--aurskog-hland-jnb austevoll austrheim averoy xn--avery-yua badaddja
 xn--bdddj-mrabd xn--brum-voa bahcavuotna xn--bhcavuotna-s4a bahccavuotna xn--bhccavuotna-k7a baidar
 xn--bidr-5nac bajddar xn--bjddar-pta balat xn--blt-elab balestrand ballangen balsfjord bamble bardu
 barum batsfjord xn--btsfjord-9za bearalvahki xn--bearalvhki-y4a beardu beiarn berg bergen berlevag
 xn--berlevg-jxa bievat xn--bievt-0qa bindal birkenes bjerkreim bjugn bodo xn--bod-2na bokn bomlo
 xn--bmlo-gra bremanger bronnoy xn--brnny-wuac budejju bygland bykle cahcesuolo xn--hcesuolo-7ya35b
 davvenjarga xn--davvenjrga-y4a davvesiida deatnu dielddanuorri divtasvuodna divttasvuotna donna
 xn--dnna-gra dovre drammen drangedal dyroy xn--dyry-ira eid eidfjord eidsberg eidskog eidsvoll
 eigersund elverum enebakk engerdal etne etnedal evenassi xn--eveni-0qa01ga evenes evje-og-hornnes
 farsund fauske fedje fet finnoy xn--finny-yua fitjar fjaler fjell fla xn--fl-zia flakstad flatanger
 flekkefjord flesberg flora folldal forde xn--frde-gra forsand fosnes xn--frna-woa frana frogn
 froland frosta froya xn--frya-hra fuoisku fuossko fusa fyresdal gaivuotna xn--givuotna-8ya galsa
 xn--gls-elac gamvik gangaviika xn--ggaviika-8ya47h gaular gausdal giehtavuoatna gildeskal
 xn--gildeskl-g0a giske gjemnes gjerdrum gjerstad gjesdal gjovik xn--gjvik-wua gloppen gol gran
 grane granvin gratangen grimstad grong grue gulen guovdageaidnu ha xn--h-2fa habmer xn--hbmer-xqa
 hadsel xn--hgebostad-g3a hagebostad halden halsa hamar hamaroy xn--hamary-fya hammarfeasta
 xn--hmmrfeasta-s4ac hammerfest hapmir xn--hpmir-xqa haram hareid harstad hasvik hattfjelldal
 haugesund hemne hemnes hemsedal hitra hjartdal hjelmeland hobol xn--hobl-ira hof hol hole
 holmestrand holtalen xn--holtlen-hxa hornindal horten hoyanger xn--hyanger-q1a hoylandet
 xn--hylandet-54a hurdal hurum hvaler hyllestad ibestad inderoy xn--indery-fya iveland ivgu jevnaker
 jolster xn--jlster-bya jondal kafjord xn--kfjord-iua karasjohka xn--krjohka-hwab49j karasjok
 karlsoy xn--karlsy-fya karmoy xn--karmy-yua kautokeino klabu xn--klbu-woa klepp kongsberg
 kongsvinger kraanghke xn--kranghke-b0a kragero xn--krager-gya kristiansand kristiansund krodsherad
 xn--krdsherad-m8a xn--kvfjord-nxa xn--kvnangen-k0a kvafjord kvalsund kvam kvanangen kvinesdal
 kvinnherad kviteseid kvitsoy xn--kvitsy-fya laakesvuemie xn--lrdal-sra lahppi xn--lhppi-xqa lardal
 larvik lavagis lavangen leangaviika xn--leagaviika-52b lebesby leikanger leirfjord leka leksvik
 lenvik lerdal lesja levanger lier lierne lillehammer lillesand lindas xn--linds-pra lindesnes
 loabat xn--loabt-0qa lodingen xn--ldingen-q1a lom loppa lorenskog xn--lrenskog-54a loten
 xn--lten-gra lund lunner luroy xn--lury-ira luster lyngdal lyngen malatvuopmi xn--mlatvuopmi-s4a
 malselv xn--mlselv-iua malvik mandal marker marnardal masfjorden masoy xn--msy-ula0h matta-varjjat
 xn--mtta-vrjjat-k7af meland meldal melhus meloy xn--mely-ira meraker xn--merker-kua midsund
 midtre-gauldal moareke xn--moreke-jua modalen modum molde moskenes moss muosat xn--muost-0qa
 naamesjevuemie xn--nmesjevuemie-tcba xn--nry-yla5g namdalseid namsos namsskogan nannestad naroy
 narviika narvik naustdal navuotna xn--nvuotna-hwa nedre-eiker nesna nesodden nesseby nesset
 nissedal nittedal nord-aurdal nord-fron nord-odal norddal nordkapp nordre-land nordreisa
 nore-og-uvdal notodden notteroy xn--nttery-byae odda oksnes xn--ksnes-uua omasvuotna oppdal
 oppegard xn--oppegrd-ixa orkdal orland xn--rland-uua orskog xn--rskog-uua orsta xn--rsta-fra osen
 osteroy xn--ostery-fya ostre-toten xn--stre-toten-zcb overhalla ovre-eiker xn--vre-eiker-k8a oyer
 xn--yer-zna oygarden xn--ygarden-p1a oystre-slidre xn--ystre-slidre-ujb porsanger porsangu
 xn--porsgu-sta26f porsgrunn rade xn--rde-ula radoy xn--rady-ira xn--rlingen-mxa rahkkeravju
 xn--rhkkervju-01af raisa xn--risa-5na rakkestad ralingen rana randaberg rauma re rendalen rennebu
 rennesoy xn--rennesy-v1a rindal ringebu ringerike ringsaker risor xn--risr-ira rissa roan rodoy
 xn--rdy-0nab rollag romsa romskog xn--rmskog-bya roros xn--rros-gra rost xn--rst-0na royken
 xn--ryken-vua royrvik xn--ryrvik-bya ruovat rygge salangen salat xn--slat-5na xn--slt-elab saltdal
 samnanger sandefjord sandnes sandoy xn--sandy-yua sarpsborg sauda sauherad sel selbu selje seljord
 siellak sigdal siljan sirdal skanit xn--sknit-yqa skanland xn--sknland-fxa skaun skedsmo ski skien
 skierva xn--skierv-uta skiptvet skjak xn--skjk-soa skjervoy xn--skjervy-v1a skodje smola
 xn--smla-hra snaase xn--snase-nra snasa xn--snsa-roa snillfjord snoasa sogndal sogne xn--sgne-gra
 sokndal sola solund somna xn--smna-gra sondre-land xn--sndre-land-0cb songdalen sor-aurdal
 xn--sr-aurdal-l8a sor-fron xn--sr-fron-q1a sor-odal xn--sr-odal-q1a sor-varanger
 xn--sr-varanger-ggb sorfold xn--srfold-bya sorreisa xn--srreisa-q1a sortland sorum xn--srum-gra
 spydeberg stange stavanger steigen steinkjer stjordal xn--stjrdal-s1a stokke stor-elvdal stord
 stordal storfjord strand stranda stryn sula suldal sund sunndal surnadal sveio svelvik sykkylven
 tana time tingvoll tinn tjeldsund tjome xn--tjme-hra tokke tolga tonsberg xn--tnsberg-q1a torsken
 xn--trna-woa trana tranoy xn--trany-yua troandin trogstad xn--trgstad-r1a tromsa tromso
 xn--troms-zua trondheim trysil tvedestrand tydal tynset tysfjord tysnes xn--tysvr-vra tysvar
 ullensaker ullensvang ulstein ulvik unjarga xn--unjrga-rta utsira vaapste vadso xn--vads-jra
 xn--vry-yla5g vaga xn--vg-yiab vagan xn--vgan-qoa vagsoy xn--vgsy-qoa0j vaksdal valle vang vanylven
 vardo xn--vard-jra varggat xn--vrggt-xqad varoy vefsn vega vegarshei xn--vegrshei-c0a vennesla
 verdal verran vestby vestnes vestre-slidre vestre-toten vestvagoy xn--vestvgy-ixa6o vevelstad vik
 vikna vindafjord voagat volda voss
aa.no ah.no bu.no fm.no hl.no hm.no jan-mayen.no mr.no nl.no nt.no of.no ol.no oslo.no rl.no sf.no
 st.no svalbard.no tm.no tr.no va.no vf.no: gs
akershus.no buskerud.no: nes
hedmark.no: os valer xn--vler-qoa
hordaland.no: os
more-og-romsdal.no: heroy sande
nordland.no: bo xn--b-5ga heroy xn--hery-ira
ostfold.no: valer
telemark.no: bo xn--b-5ga
vestfold.no: sande
xn--mre-og-romsdal-qqb.no: xn--hery-ira sande
xn--stfold-9xa.no: xn--vler-qoa
nz: ac co cri geek gen govt health iwi kiwi maori xn--mori-qsa mil net org parliament school
om: co com edu gov med museum net org pro
pa: abo ac com edu gob ing med net nom org sld
pe: com edu gob mil net nom org
pf: com edu org
ph: com edu gov i mil net ngo org
pk: ac biz com edu fam gkp gob gog gok gop gos gov net org web
pl: com net org agro aid atm auto biz edu gmina gsm info mail media miasta mil nieruchomosci nom pc
 powiat priv realestate rel sex shop sklep sos szkola targi tm tourism travel turystyka gov augustow
 babia-gora bedzin beskidy bialowieza bialystok bielawa bieszczady boleslawiec bydgoszcz bytom
 cieszyn czeladz czest dlugoleka elblag elk glogow gniezno gorlice grajewo ilawa jaworzno
 jelenia-gora jgora kalisz karpacz kartuzy kaszuby katowice kazimierz-dolny kepno ketrzyn klodzko
 kobierzyce kolobrzeg konin konskowola kutno lapy lebork legnica lezajsk limanowa lomza lowicz lubin
 lukow malbork malopolska mazowsze mazury mielec mielno mragowo naklo nowaruda nysa olawa olecko
 olkusz olsztyn opoczno opole ostroda ostroleka ostrowiec ostrowwlkp pila pisz podhale podlasie
 polkowice pomorskie pomorze prochowice pruszkow przeworsk pulawy radom rawa-maz rybnik rzeszow
 sanok sejny skoczow slask slupsk sosnowiec stalowa-wola starachowice stargard suwalki swidnica
 swiebodzin swinoujscie szczecin szczytno tarnobrzeg tgory turek tychy ustka walbrzych warmia
 warszawa waw wegrow wielun wlocl wloclawek wodzislaw wolomin wroclaw zachpomor zagan zarow zgora
 zgorzelec
gov.pl: ap griw ic is kmpsp konsulat kppsp kwp kwpsp mup mw oia oirm oke oow oschr oum pa pinb piw
 po pr psp psse pup rzgw sa sdn sko so sr starostwo ug ugim um umig upow uppo us uw uzs wif wiih
 winb wios witd wiw wkz wsa wskr wsse wuoz wzmiuw zp zpisdn
pn: co edu gov net org
pr: ac biz com edu est gov info isla name net org pro prof
pro: aaa aca acct avocat bar cpa eng jur law med recht
ps: com edu gov net org plo sec
pt: com edu gov int net nome org publ
py: com coop edu gov mil net org
qa: com edu gov mil name net org sch
re: asso com
ro: arts com firm info nom nt org rec store tm www
rs: ac co edu gov in org
rw: ac co coop gov mil net org
sa: com edu gov med net org pub sch
sd: com edu gov info med net org tv
se: a ac b bd brand c d e f fh fhsk fhv g h i k komforb kommunalforbund komvux l lanbib m n
 naturbruksgymn o org p parti pp press r s t tm u w x y z
sh: com gov mil net org
sk: org
sn: art com edu gouv org univ
so: com edu gov me net org
ss: biz co com edu gov me net org sch
st: co com consulado edu embaixada mil net org principe saotome store
sv: com edu gob org red
sz: ac co org
th: ac co go in mi net or
tj: biz co com edu go gov int mil name net nic org test web
tn: com ens fin gov ind info intl mincom nat net org perso tourism
tr: av bbs bel biz com dr edu gen gov info k12 kep mil name net org pol tel tsk tv web nc
tt: biz co com edu gov info mil name net org pro
tw: club com ebiz edu game gov idv mil net org
tz: ac co go hotel info me mil mobi ne or sc tv
ua: com edu gov in net org cherkassy cherkasy chernigov chernihiv chernivtsi chernovtsy ck cn cr
 crimea cv dn dnepropetrovsk dnipropetrovsk donetsk dp if ivano-frankivsk kh kharkiv kharkov kherson
 khmelnitskiy khmelnytskyi kiev kirovograd km kr kropyvnytskyi krym ks kv kyiv lg lt lugansk luhansk
 lutsk lv lviv mk mykolaiv nikolaev od odesa odessa pl poltava rivne rovno rv sb sebastopol
 sevastopol sm sumy te ternopil uz uzhgorod uzhhorod vinnica vinnytsia vn volyn yalta zakarpattia
 zaporizhzhe zaporizhzhia zhitomir zhytomyr zp zt
ug: ac co com edu go gov mil ne or org sc us
uk: ac co gov ltd me net nhs org plc police
us: dni isa nsn ak al ar as az ca co ct dc de fl ga gu hi ia id il in ks ky la ma md me mi mn mo ms
 mt nc nd ne nh nj nm nv ny oh ok or pa pr ri sc sd tn tx ut va vi vt wa wi wv wy
ak.us al.us ar.us as.us az.us ca.us co.us ct.us dc.us fl.us ga.us gu.us ia.us id.us il.us in.us
 ks.us ky.us la.us ma.us md.us me.us mn.us mo.us mt.us nc.us ne.us nh.us nj.us nm.us nv.us ny.us
 oh.us ok.us or.us pa.us pr.us sc.us tn.us tx.us ut.us va.us vi.us vt.us wa.us wi.us wy.us: k12 cc
 lib
de.us wv.us: cc
hi.us ri.us sd.us: cc lib
k12.ma.us: chtr paroch pvt
mi.us: k12 cc lib ann-arbor cog dst eaton gen mus tec washtenaw
ms.us: k12 cc
uy: com edu gub mil net org
uz: co com net org
ve: arts bib co com e12 edu emprende firm gob gov ia info int mil net nom org rar rec store tec web
vg: edu
vi: co com k12 net org
vn: ac ai biz com edu gov health id info int io name net org pro angiang bacgiang backan baclieu
 bacninh baria-vungtau bentre binhdinh binhduong binhphuoc binhthuan camau cantho caobang daklak
 daknong danang dienbien dongnai dongthap gialai hagiang haiduong haiphong hanam hanoi hatinh
 haugiang hoabinh hue hungyen khanhhoa kiengiang kontum laichau lamdong langson laocai longan
 namdinh nghean ninhbinh ninhthuan phutho phuyen quangbinh quangnam quangngai quangninh quangtri
 soctrang sonla tayninh thaibinh thainguyen thanhhoa thanhphohochiminh thuathienhue tiengiang
 travinh tuyenquang vinhlong vinhphuc yenbai
xn--4dbrk0ce: xn--4dbgdty6c xn--5dbhl8d xn--8dbq2a xn--hebda8b
xn--90a3ac: xn--80au xn--90azh xn--d1at xn--c1avg xn--o1ac xn--o1ach
xn--j6w193g: xn--gmqw5a xn--55qx5d xn--mxtq1m xn--wcvs22d xn--uc0atv xn--od0alg
xn--o3cw4h: xn--o3cyx2a xn--12co0c3b4eva xn--m3ch0j3a xn--h3cuzk1di xn--12c1fe0br xn--12cfi8ixb8l
za: ac agric alt co edu gov grondar law mil net ngo nic nis nom org school tm web
zm: ac biz co com edu gov info mil net org sch
zw: ac co gov mil org
`;
