"""Questions that differ in direction alone: who depends on something, and what it depends on.

Of each relation between nodes of one kind both sides are asked, in like words, so that the order of
the words is what tells them apart.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from trellis.automata.cypher.options import RenderingOptions
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import LabelKind
from trellis.lexicon.plurals import is_plural
from trellis.lexicon.relations.phrases import Phrases
from trellis.models.reader.moves import ReaderMove
from trellis.steps.link.mask_mentions import mention_placeholder
from trellis.training.examples import MentionPath, PathExample
from trellis.training.reader.lessons import ReaderExample, trace_query
from trellis.training.reader.made_paths import MadePaths
from trellis.training.reader.made_schemas import MadeSchema
from trellis.training.synthesis.noise import QuestionNoise
from trellis.training.synthesis.operators.examples import spell_drawn_question
from trellis.training.synthesis.operators.parts.patterns import Hop, write_named_node, write_node
from trellis.training.synthesis.operators.parts.topics import DrawnQuestion, Topic
from trellis.training.synthesis.operators.parts.verb_phrases import ask_verb, make_base
from trellis.training.synthesis.predicates import list_predicates

_RENDERING = RenderingOptions()
_CLAUSE_FRAMES = (
    "what are {}",
    "list {}",
    "list all {}",
    "show me {}",
    "show me all {}",
    "show {}",
    "show all {}",
    "give me {}",
    "give me all {}",
    "find {}",
    "find all {}",
    "name {}",
    "tell me {}",
    "{}",
)
_COUNT_FRAMES = ("how many {} are there", "the number of {}", "count {}", "how many {}")
_FORMS = {"asks": 0.45, "clauses": 0.35, "count": 0.1, "whether": 0.1}
_TOPIC, _OTHER = "t0", "t1"


@dataclass(frozen=True, slots=True)
class RelationSide:
    """One side of a relation between nodes of one kind: the step that leads to what is asked, and
    its phrases."""

    kind: LabelKind
    step: Step
    phrases: Phrases

    def write_to(self, named: str) -> str:
        """The relation in Cypher, from what is asked to what is named."""
        return Hop(self.step.relation, not self.step.reversed, self.kind.label).write(named)


def ask_directions(graph: MadeSchema, count: int, seed: int) -> Iterator[ReaderExample]:
    """Up to `count` pairs of questions, each with its query, and as a path."""
    pairs = list(list_turns(graph))
    choice = random.Random(seed)
    if not pairs:
        return
    noise = QuestionNoise(choice)
    known: dict[Hashable, tuple[ReaderMove, ...]] = {}
    paths = MadePaths(graph.schema, seed, is_labelled=True)
    for number in range(count):
        form = choice.choices(list(_FORMS), list(_FORMS.values()))[0]
        for turn in choice.choice(pairs):
            drawn = _draw_question(turn, form, choice)
            if drawn is None:
                continue
            asked = DrawnQuestion(noise.add_noise(drawn.text), drawn.cypher, drawn.topics)
            spelled = spell_drawn_question(graph.schema, asked, _RENDERING, {}, number)
            if spelled:
                steps = trace_query(spelled.language, spelled.example.segments, known)
                yield ReaderExample(spelled.example.prompt.question, steps, seed)
            if form in ("asks", "clauses"):
                text = noise.add_noise(drawn.text.replace(_TOPIC, mention_placeholder(0)))
                example = PathExample(text, (MentionPath(0, (turn.step,)),))
                yield ReaderExample(text, paths.trace_paths(example), seed)


def list_turns(graph: MadeSchema) -> Iterator[tuple[RelationSide, RelationSide]]:
    """Both sides of each relation between nodes of one kind that are said in different words."""
    for kind in graph.schema.relationships:
        label = graph.schema.label(kind.start_label)
        if kind.start_label == kind.end_label and label and label.naming:
            steps = Step(kind.type), Step(kind.type, reversed=True)
            ahead, back = (graph.book.phrases_of(step, kind.end_label) for step in steps)
            said = {*ahead.asks, *ahead.clauses}, {*back.asks, *back.clauses}
            if all(said) and said[0].isdisjoint(said[1]):
                yield RelationSide(label, steps[0], ahead), RelationSide(label, steps[1], back)


def _draw_question(turn: RelationSide, form: str, choice: random.Random) -> DrawnQuestion | None:
    """A question of a form for what a turn leads to; None where it has no words for that."""
    if form == "whether":
        return _ask_whether(turn, choice)
    text = _draw_text(turn.phrases, form, choice)
    if text is None:
        return None
    named = turn.write_to(write_named_node("m", turn.kind, _TOPIC))
    returned = "count(DISTINCT n)" if form == "count" else "DISTINCT n"
    cypher = f"MATCH {write_node('n', turn.kind.label)}{named} RETURN {returned}"
    return DrawnQuestion(text.replace("{}", _TOPIC), cypher, (_name_topic(turn.kind),))


def _draw_text(phrases: Phrases, form: str, choice: random.Random) -> str | None:
    """Words that ask for what a turn leads to, with `{}` for what is named."""
    many = [clause for clause in phrases.clauses if is_plural(clause.partition(" ")[0])]
    if form == "count":
        counted = [ask.removeprefix("which ") for ask in phrases.asks if _asks_for_many(ask)]
        if counted and choice.random() < 0.6:
            return f"how many {choice.choice(counted)}"
        return choice.choice(_COUNT_FRAMES).replace("{}", choice.choice(many)) if many else None
    if form == "asks" and phrases.asks:
        return choice.choice(phrases.asks)
    if not phrases.clauses:
        return None
    return choice.choice(_CLAUSE_FRAMES).replace("{}", choice.choice(phrases.clauses))


def _asks_for_many(ask: str) -> bool:
    first, _, rest = ask.partition(" ")
    return first == "which" and is_plural(rest.partition(" ")[0])


def _ask_whether(turn: RelationSide, choice: random.Random) -> DrawnQuestion | None:
    """The question whether what is named first is what the turn leads to."""
    every = list_predicates(turn.phrases)
    predicates = [each for each in every if not each.startswith("{}")]
    if not predicates:
        return None
    verb = make_base(choice.choice(predicates)).replace("{}", _OTHER)
    names = write_named_node("n", turn.kind, _TOPIC), write_named_node("m", turn.kind, _OTHER)
    cypher = f"MATCH {', '.join(names)} RETURN EXISTS {{ (n){turn.write_to('(m)')} }}"
    topic = _name_topic(turn.kind)
    return DrawnQuestion(ask_verb(_TOPIC, verb), cypher, (topic, topic))


def _name_topic(kind: LabelKind) -> Topic:
    assert kind.naming
    return Topic(kind.label, kind.naming)
