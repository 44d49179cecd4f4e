"""Makes examples of task `cypher` in all that the wide language says, from the schema alone."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.reading.queries import find_canonical_moves
from trellis.automata.cypher.words.property_types import DATES
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import Schema
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.plurals import make_plural
from trellis.steps.link.values.link_literals import make_day_links
from trellis.steps.link.values.value_mentions import name_values, value_name
from trellis.steps.retrieve.queries.query_prompt import build_query_prompt
from trellis.training.examples import Example
from trellis.training.synthesis.name_mentions import NameKinds, find_word, make_mention
from trellis.training.synthesis.operators.parts.patterns import UNKNOWN_DIRECTIONS, Directions
from trellis.training.synthesis.operators.parts.topics import DrawnQuestion, Topic
from trellis.training.synthesis.operators.questions import OperatorQuestions

_TRIES = 3
_SMALL = 0.5  # probability that a stored text with capitals is said without
_INFLECTED = 0.15  # probability that another stored text is said in another form
_PLURAL = 0.5  # probability that this is its plural
_WORDS = re.compile(r"[A-Za-z]{3,}(?:[ -][A-Za-z]{2,}){0,2}")
_TOPIC = re.compile(r"\bt(\d+)\b")
_QUOTED = re.compile(r"'t(\d+)'")


@dataclass(frozen=True, slots=True)
class SpelledQuery:
    """A made question with its query as an example, and the language that its values give."""

    example: Example
    language: CypherLanguage


def make_operator_examples(
    schema: Schema,
    book: Phrasebook,
    rendering: RenderingOptions,
    count: int,
    seed: int,
    kinds: NameKinds | None = None,
    directions: Directions = UNKNOWN_DIRECTIONS,
    report: Progress = ignore_progress,
) -> tuple[Example, ...]:
    """Up to `count` examples; fewer where the schema has little to ask about. `directions`: those
    of relationships, as far as they are known."""
    questions = OperatorQuestions(schema, book, seed, directions)
    examples: list[Example] = []
    for spelled in spell_drawn_questions(questions, schema, rendering, kinds or {}, _TRIES * count):
        examples += [spelled.example] if spelled else []
        report("made questions", len(examples), count)
        if len(examples) == count:
            break
    return tuple(examples)


def spell_drawn_questions(
    questions: OperatorQuestions,
    schema: Schema,
    rendering: RenderingOptions,
    kinds: NameKinds,
    tries: int,
) -> Iterator[SpelledQuery | None]:
    """So many questions with their queries; None in the place of one that cannot be said."""
    for number in range(tries):
        if drawn := questions.draw_question():
            yield spell_drawn_question(schema, drawn, rendering, kinds, number)
        else:
            yield None


def spell_drawn_question(
    schema: Schema, drawn: DrawnQuestion, rendering: RenderingOptions, kinds: NameKinds, draw: int
) -> SpelledQuery | None:
    """A question with its query; None where a topic is not said, or the query cannot be."""
    order = list(dict.fromkeys(map(int, _TOPIC.findall(drawn.text))))
    if len(order) < len(drawn.topics):
        return None
    numbers = {topic: place for place, topic in enumerate(order)}
    mentions: list[Mention] = []
    text = _TOPIC.sub(lambda t: value_name(numbers[int(t[1])]), drawn.text)
    stored: dict[int, str] = {}
    for topic, place in sorted(numbers.items(), key=lambda item: item[1]):
        said = _say_stored(schema, drawn.topics[topic], draw + place)
        if said and said[0] not in stored.values():
            stored[topic] = said[0]
            text, mention = _place_stored(text, place, drawn.topics[topic], *said)
        else:
            mention = _mention_topic(schema, text, place, drawn.topics[topic], kinds, draw)
        mentions.append(mention)

    def write_text(match: re.Match[str]) -> str:
        topic = int(match[1])
        return f"'{stored.get(topic, value_name(numbers[topic]))}'"

    cypher = _QUOTED.sub(write_text, drawn.cypher)
    cypher = _TOPIC.sub(lambda t: str(drawn.topics[int(t[1])].number), cypher)
    language = CypherLanguage(schema, name_values(mentions, schema), rendering)
    try:
        moves = find_canonical_moves(language, cypher)
    except CypherReadError:
        return None
    return SpelledQuery(Example(build_query_prompt(text, mentions), moves), language)


def _say_stored(schema: Schema, topic: Topic, draw: int) -> tuple[str, str] | None:
    """A text of a property with few, and how a question says it where it is not as it is stored;
    None where the topic is a name or none of such a property, and now and then.

    Capitals are left out more often than not, and so is the singular: `midfielders`.
    """
    kind, label = schema.find_property(topic.label, topic.property), schema.label(topic.label)
    if kind is None or kind.type != "STRING" or (label and label.naming == kind.name):
        return None
    texts = [text for text in kind.values if isinstance(text, str) and _WORDS.fullmatch(text)]
    if not texts:
        return None
    text = texts[draw % len(texts)]
    dice = random.Random(draw)
    if dice.random() >= (_SMALL if text != text.lower() else _INFLECTED):
        return None
    is_plural = text == text.lower() or dice.random() < _PLURAL
    return text, make_plural(text.lower()) if is_plural else text.lower()


def _place_stored(
    text: str, place: int, topic: Topic, stored: str, said: str
) -> tuple[str, Mention]:
    """A question with such a text in its place, and its mention, beside which the text stays."""
    match = find_word(text, value_name(place))
    start, end = match.start(), match.start() + len(said)
    value = StoredValue(topic.label, topic.property, stored)
    placed = f"{text[:start]}{said}{text[match.end() :]}"
    return placed, Mention(start, end, said, (Link(value, 0.7, "words"),))


def _mention_topic(
    schema: Schema, text: str, place: int, topic: Topic, kinds: NameKinds, draw: int
) -> Mention:
    """The mention of a topic, with a link for each kind that its text may be of."""
    match = find_word(text, value_name(place))
    if topic.number is not None:
        type_ = "INTEGER" if isinstance(topic.number, int) else "FLOAT"
        number = StoredValue("", "", topic.number, type_)
        return Mention(match.start(), match.end(), match[0], (Link(number, 0.3, "number"),))
    if topic.type in DATES:
        return Mention(match.start(), match.end(), match[0], make_day_links(schema, [match[0]]))
    return make_mention(text, match[0], (topic.label, topic.property), kinds, draw + place)
