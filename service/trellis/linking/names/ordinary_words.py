"""Ordinary words of English, which written small are hardly the name that a question means.

A graph of films has tags called `old`, `seen` and `writing`, and films called `The Man` and
`Everything`; `Who did the writing on films from the director of Purple Noon?` means none of them.
The words are common verbs in all their forms, and adjectives, adverbs and nouns that say little.
Nouns that name a field (war, music, family) are left out, as tags and genres are called so.
"""

from __future__ import annotations

_VERBS = """
accept accepts accepted accepting achieve achieves achieved achieving act acts acted acting add adds
added adding advise advises advised advising agree agrees agreed agreeing aim aims aimed aiming
allow allows allowed allowing answer answers answered answering appear appears appeared appearing
apply applies applied applying appoint appoints appointed appointing arrive arrives arrived arriving
ask asks asked asking assign assigns assigned assigning attend attends attended attending avoid
avoids avoided avoiding be became become becomes becoming been began begin begins beginning begun
being believe believes believed believing belong belongs belonged belonging bind bought bring brings
bringing brought build builds building built buy buys buying call calls called calling came care
cares cared carry carries carried carrying cast casts casting cause causes caused causing change
changes changed changing check checks checked checking choose chooses choosing chose chosen claim
claims claimed claiming collaborate collaborates collaborated collaborating come comes coming commit
commits committed committing compare compares compared comparing complete completes completed
completing compose composes composed composing connect connects connected connecting consider
considers considered considering contain contains contained containing continue continues continued
continuing control controls controlled controlling count counts counted counting cover covers
covered covering create creates created creating deal deals dealing dealt decide decides decided
deciding deliver delivers delivered delivering depend depends depended depending describe describes
described describing design designs designed designing develop develops developed developing die
dies died differ differs direct directs directed directing do does doing done drive drives driven
driving drove employ employs employed employing end ends ended ending enjoy enjoys enjoyed enjoying
enter enters entered entering exist exists existed existing expect expects expected expecting
explain explains explained explaining face faces faced facing fall falls falling fallen feature
features featured featuring feel feels feeling fell felt fill fills filled filling film films filmed
filming find finds finding finish finishes finished finishing flow flows flowed flowing follow
follows followed following form forms formed forming found gave get gets getting give gives given
giving go goes going gone got gotten grew grow grows growing grown guess guessed had handle handles
handled handling happen happens happened happening hear hears heard hearing held help helps helped
helping hire hires hired hiring hold holds holding hope hoped include includes included including
involve involves involved involving join joins joined joining keep keeps keeping kept knew know
knows knowing known lead leads leading learn learns learned learning leave leaves leaving led left
let lets lie lies like likes liked liking link links linked linking list lists listed listing live
lives lived living locate locates located locating look looks looked looking lose loses losing lost
love loves loved loving made make makes making manage manages managed managing marry marries married
marrying match matches matched matching mean means meant mention mentions mentioned meet meets
meeting met move moves moved moving name names named naming need needs needed needing note noted
obtain obtained occur occurs occurred occurring offer offers offered offering open opens opened
opening order orders ordered ordering own owns owned owning pass passes passed passing pay pays paid
paying pick picks picked picking place places placed placing plan plans planned planning play plays
played playing possess possesses possessed possessing possession prefer prefers preferred prepare
prepared present presents presented presenting produce produces produced producing provide provides
provided providing publish publishes published publishing pull pulled push pushed put puts putting
raise raises raised raising rank ranks ranked ranking rate rates rated rating reach reaches reached
reaching read reads reading receive receives received receiving record records recorded recording
refer refers referred release releases released releasing remain remains remained remaining remember
remembers remind reminds reminded report reports reported reporting require requires required result
results resulted return returns returned returning review reviews reviewed reviewing ring rings rang
rung run runs running said sat saw say says saying screen screened see sees seeing seen seem seems
seemed sell sells selling send sends sending sent serve serves served serving set sets setting share
shares shared sharing show showed shown showing shows sign signs signed signing sit sits sitting
sold speak speaks speaking spend spends spent spoke spoken stand stands stood star stars starred
starring start starts started starting state states stated stay stays stayed staying stop stops
stopped stopping study studies studied studying suggest suggests suggested supply supplies supplied
supplying support supports supported supporting suppose supposed take takes taken taking talk talks
talked talking taught teach teaches teaching tell tells telling think thinks thinking thought told
took touch touched trace traced train trained treat treats treated treating tried try tries trying
turn turns turned turning understand understood use uses used using visit visits visited visiting
wait waits waited waiting walk walks walked walking want wants wanted wanting watch watches watched
watching wear wears wearing went win wins winning won wonder wonders wondered wondering wore work
works worked working worn write writes writing written wrote
"""

_ADJECTIVES = """
able actual additional alike alive alone available average bad beautiful best better big bigger
biggest bound brief bright broad busy central certain cheap clear close closed closer closest cold
common complete correct current dear deep different difficult double due early earlier earliest easy
elder eldest empty enough entire equal exact extra fair famous far farther fast favorite favourite
few fewer final fine first former free frequent fresh full further funny future general good grand
great greater greatest half happy hard heavy high higher highest hot huge important independent
individual interesting interested joint key large larger largest last late later latest least less
light likely little local long longer longest low lower lowest main major many married minor mutual
new newer newest next nice normal notable numerous odd old older oldest open opposite original
other overall own particular past perfect personal plain poor popular possible present previous
proper quick rare ready real recent related relevant responsible rich right same second separate
several short shorter shortest similar simple single slow small smaller smallest sole sorry special
specific strange strong such sure tall taller tallest third together top total true typical upcoming
usual various vast whole wide wonderful worse worst worth wrong young younger youngest
"""

_ADVERBS_AND_PRONOUNS = """
above across actually afterwards again ago ahead almost along already alright also altogether always
among another anybody anyone anything anyway anywhere apart approximately around asap aside away
back badly basically because before behind below beneath beside besides between beyond certainly
commonly currently directly either else elsewhere especially even eventually ever everybody everyone
everything everywhere exactly except fairly finally formerly forward frequently fully generally
hardly hello hence herself hey highly himself however indeed initially instead itself jointly lately
likewise mainly maybe meanwhile mine moreover mostly myself namely nearby nearly neither never
nobody none normally nothing notwithstanding now nowadays nowhere often ok okay once originally
others otherwise outside per perhaps pls poorly possibly presently previously primarily probably
properly quickly quite rather really recently regarding respectively roughly simply simultaneously
since somebody somehow someone something sometimes somewhat somewhere soon specifically still
suddenly surely thank thanks themselves thereby therefore though thus today tomorrow tonight totally
towards twice typically unless unlike upon usually versus via well whatever whenever wherever
whichever whoever within without yes yesterday yet
"""

_NOUNS = """
amount anyone bit bunch case cases chance couple date day days detail details direction everybody
example exception fact folk folks gentleman group groups guy guys hand help hour hours idea info
information instance interest item items kind kinds ladies lady lot lots man men matter member
members minute minutes moment month months name number numbers pair part parts people person persons
piece pieces place point problem quantity question questions reason rest sake selection series side
sort sorts spot stuff term terms thing things time times title titles topic type types user users
way ways week weeks woman women word words year years
"""

ORDINARY_WORDS = frozenset(
    word for text in (_VERBS, _ADJECTIVES, _ADVERBS_AND_PRONOUNS, _NOUNS) for word in text.split()
)
"""Words that are hardly ever a name when written small, in a question that has other names."""
