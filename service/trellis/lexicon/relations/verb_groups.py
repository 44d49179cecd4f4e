"""Verb groups: verbs that say the same of a relation, and verbs that take no object.

A graph has SUPPLIES, and people ask who sells or delivers something; it has STORED_IN, and they ask
where that is kept. Where a graph has relations for two verbs of a group, each says its own alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache

_GROUPS = """
acquire buy
appoint name
assemble build
attend visit
author write
book reserve
borrow
buy order purchase
call phone ring contact dial
cite quote reference
coach train
compete play
complete finish
compose write
conduct lead
construct build
contact call
dial call phone
contain include hold
cover include
create make
deliver bring
depend rely
design create
develop build make
direct make
distribute sell
donate give
edit revise
employ hire
establish found
examine check
export sell
film shoot
finance fund
found establish start
fund finance back
give donate
handle manage
head lead run
hire employ
hold keep
host hold
include contain
inspect check
instruct teach
invent create
issue publish
join enter
keep store
launch start
lead head run
like love enjoy
love like
maintain look service
make produce manufacture
manage run lead oversee
manufacture make produce
marry wed
message text contact
phone call ring contact
mentor coach guide
monitor watch
offer provide
open start
operate run
order buy purchase
oversee manage supervise
own possess
paint draw
pay settle
perform do
pilot fly
possess own
prescribe give
produce make
promote advertise
provide supply offer
publish release issue
purchase buy order
raise rear
receive get
recommend suggest refer
refer recommend
release publish issue
rate score review
rent hire
reserve book
ring call phone
review rate
repair fix
require need
run operate manage
sell offer
send mail
ship send deliver
shoot film
sponsor fund support
start found
store keep
study learn
suggest recommend
supervise oversee manage
supply provide deliver sell
support back
teach instruct
test check
train coach teach
treat help
use employ utilise
visit see
watch view see
win get receive
write author
"""
"""A verb in its base form, and those that people say instead; a verb and its own alone."""

_INTRANSITIVE = frozenset(
    """act appear apply arrive belong bid collaborate comment commute compete contribute
    debut depart depend die emigrate fly go graduate happen immigrate invest lecture lie
    live major migrate move occur participate play qualify race react rely reply report
    reside respond retire rise sail serve sit stay stop study subscribe testify train travel
    visit volunteer vote work""".split()  # noqa: SIM905
)
"""Verbs whose past form before a preposition is said of who does it: `studied at`."""

_DONE = frozenset(
    """accredit admit affiliate allocate appoint archive arrest assign attach author award base
    build bury charge classify clear compose confine connect construct contain cook cover create
    deliver deploy design detain develop diagnose direct discover dispatch display divide elect
    embed employ establish exhibit expose fill film find form found ground group grow headquarter
    hire hold host house imprison include incorporate insure introduce invent inspire
    issue keep kill label launch license link list load locate lodge maintain make
    manufacture map mention mine mount name nominate own pack paint park place plant position post
    prescribe present prepare print process produce publish quarter raise rank record register
    release save schedule sell send serve set settle ship shoot show sign sort stage station stock
    store structure tag teach title transfer translate use write""".split()  # noqa: SIM905
)
"""Verbs whose past form before a preposition is said of what it was done to: `stored in`."""


def list_alike(base: str, taken: Collection[str] = ()) -> tuple[str, ...]:
    """The verbs that people say instead of one, in base forms. `taken`: those that say something
    else in the same graph."""
    return tuple(verb for verb in _read_groups().get(base, ()) if verb not in taken)


def is_known_verb(base: str) -> bool:
    """Whether a word is a verb of a group."""
    return base in _read_groups()


def is_intransitive(base: str) -> bool:
    """Whether a verb's past form before a preposition is said of who does it, and not of what it
    is done to."""
    return base in _INTRANSITIVE


def is_done(base: str) -> bool:
    """Whether a verb's past form before a preposition is said of what it was done to."""
    return base in _DONE


def find_taken(bases: Iterable[str]) -> frozenset[str]:
    """Of the verbs of a graph's relations, in base forms: these, and what two of them share."""
    own = dict.fromkeys(bases)
    said = [verb for base in own for verb in _read_groups().get(base, ())]
    return frozenset(own).union(verb for verb in said if said.count(verb) > 1)


@cache
def _read_groups() -> dict[str, tuple[str, ...]]:
    lines = (line.split() for line in _GROUPS.strip().splitlines())
    return {first: tuple(others) for first, *others in lines}
