"""A method of one's own: what is written for it here is all that there is to write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
from openai import AsyncOpenAI

from chat_server import chat_server, closed_url, scripted
from memory_app import MemoryGraph, WordModel, load_path_model, opener, served
from trellis.app.listing import list_methods
from trellis.automata.one_of import OneOf
from trellis.domain.errors import WrongTaskError
from trellis.domain.graphs.graph import Node
from trellis.domain.models.card import ModelCard, TaskSettings
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.domain.ports import LanguageModel
from trellis.domain.replies.events import Watch, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Answer, CandidateOutcome, Reply
from trellis.engines.chats.chat import ChatFormat
from trellis.engines.chats.completions import ChatCompletions
from trellis.engines.chats.hosted import HostedModel
from trellis.engines.general import GeneralModel
from trellis.evaluation.report import build_report
from trellis.evaluation.run import read_candidates_again, run_suite
from trellis.methods import METHODS
from trellis.methods.registry import (
    HostedTask,
    Method,
    PipelineParts,
    Task,
    TaskInput,
    list_hosted_tasks,
)
from trellis.questions.row import QuestionRow
from trellis.settings import Settings
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.wiring.assemble import assemble_app as open_app

NAMES = OneOf((" Paris", " Berlin", " Canada"))


@dataclass(frozen=True, slots=True)
class NameSettings(TaskSettings):
    """The model says the name of what answers."""

    task: ClassVar[str] = "name"

    prefix: str = "name"


@dataclass(frozen=True, slots=True)
class Naming:
    """The pipeline: what the model says is the answer."""

    model: LanguageModel
    settings: NameSettings

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply:  # noqa: ARG002
        prompt = name_prompt(question.text, self.settings)
        [said] = await self.model.decode([prompt], [NAMES], Search(width=2))
        tried = tuple(CandidateOutcome(one.text, one.score, 1, one.values[0]) for one in said)
        answer = Answer(Node("", said[0].text.strip()), 1.0)
        return Reply(question.text, "naming", (answer,), (), 1.0, False, candidates=tried)


def name_prompt(text: str, settings: NameSettings) -> Prompt:
    return Prompt("name", f"{settings.prefix} {text}", "Name")


async def frame(parts: PipelineParts, question: Question, _: Reply) -> TaskInput:
    return TaskInput(name_prompt(question.text, parts.settings_of(NameSettings)), NAMES)


NAMING = Method(
    name="naming",
    about="The model knows it.",
    tasks=(Task(NameSettings, frame, HostedTask(ChatFormat(8), lambda _: NameSettings("hosted"))),),
    build_pipeline=lambda parts: Naming(parts.models["name"], parts.settings_of(NameSettings)),
)
ALL = {**METHODS, "naming": NAMING}


class NameModel(WordModel):
    """A model of task name."""

    card = ModelCard.of("words", NameSettings("which"))


ASKED = "Which town is Paris?"


def settings(folder: Path, **more: Any) -> Settings:
    return Settings(store_url=f"sqlite+aiosqlite:///{folder}/s.db", **more, _env_file=None)


async def test_it_answers_beside_the_others_and_alone(tmp_path: Path) -> None:
    own = opener(MemoryGraph(), WordModel, NameModel, methods=ALL)
    async with own(settings(tmp_path)) as app:
        named = await app.answer(app.make_question(ASKED), "naming")
        other = await app.answer(app.make_question("What is the capital of France?"))
    assert ([one.node.name for one in named.answers], named.method) == (["Paris"], "naming")
    assert other.method == "gcr"
    async with opener(MemoryGraph(), NameModel, methods=ALL)(settings(tmp_path)) as app:
        assert (await app.answer(app.make_question(ASKED))).method == "naming"


async def test_the_service_answers_by_it_and_lists_it(tmp_path: Path) -> None:
    async with served(
        tmp_path, MemoryGraph(), WordModel, NameModel, parts={"methods": ALL}
    ) as client:
        asked = {"question": ASKED, "method": "naming"}
        answered = (await client.post("/v1/questions", json=asked)).json()
        kept = (await client.get(f"/v1/answers/{answered['id']}")).json()
        [listed] = [m for m in (await client.get("/v1/methods")).json() if m["name"] == "naming"]
        counted = (await client.get("/metrics")).text
    assert ([one["name"] for one in answered["answers"]], kept) == (["Paris"], answered)
    assert answered["candidates"][0]["text"].strip() == "Paris"
    assert (listed["ready"], listed["tasks"]) == (True, ["name"])
    assert listed["models"] == {"name": "NameModel"}
    assert 'trellis_questions_total{method="naming",outcome="answered"} 1.0' in counted


async def test_without_its_model_it_says_what_to_do(tmp_path: Path) -> None:
    async with opener(MemoryGraph(), methods=ALL)(settings(tmp_path)) as trellis_app:
        [listed] = [one for one in await list_methods(trellis_app) if one.name == "naming"]
        with pytest.raises(WrongTaskError, match="--task name"):
            await trellis_app.answer(trellis_app.make_question(ASKED), "naming")
    assert (listed.ready, listed.default, listed.models) == (False, False, {})
    assert listed.problem == "no model does task 'name': WordModel does 'path'"
    assert "--task name" in (listed.remedy or "")


async def test_an_evaluation_reads_its_candidates_again(tmp_path: Path) -> None:
    async with opener(MemoryGraph(), NameModel, methods=ALL)(settings(tmp_path)) as app:

        async def language_of(question: Question, reply: Reply) -> Any:
            framed = await app.pipelines.build_task_input(question, reply)
            assert framed
            assert framed.prompt.render() == f"Question: which {ASKED}\nName:"
            return framed.language

        gold = [QuestionRow(id="1", question=ASKED, answers=("Paris",))]
        ask = partial(app.answer, method="naming")
        ran = run_suite(gold, ask, app.graph, read_candidates_again(language_of))
        body = build_report("naming", [one async for one in ran])
    assert (body["method"], body["hits_at_1"], body["errors"]) == ("naming", 1.0, 0)
    assert body["well_formed"] == 1.0


async def hosted(*answers: str, prompt: Prompt, language: Any) -> Sequence[Sentence]:
    """What a hosted model says that does whatever the methods say it can."""
    tasks = list_hosted_tasks(ALL.values())
    with chat_server(scripted(*answers)) as server:
        async with AsyncOpenAI(base_url=server.url, api_key="k", max_retries=0) as client:
            card = ModelCard.of("m", *(task.build_settings(Settings()) for task in tasks.values()))
            model = HostedModel(
                ChatCompletions(client, "m", 60.0),
                card,
                {name: task.chat_format for name, task in tasks.items()},
            )
            [said] = await model.decode([prompt], [language], Search(width=2))
    assert model.card.settings(NameSettings).prefix == "hosted"
    return said


async def test_a_hosted_model_does_its_task_as_the_method_says() -> None:
    prompt = name_prompt(ASKED, NameSettings())
    said = await hosted("Berlin\nRome", "Paris", prompt=prompt, language=NAMES)
    assert [one.text for one in said] == ["Berlin", "Paris"]
    assert [one.values for one in said] == [(" Berlin",), (" Paris",)]


async def test_what_a_hosted_model_cannot_be_asked_for_is_an_error_that_says_so() -> None:
    with pytest.raises(WrongTaskError, match=r"hosted model cannot do task 'rank'.*--task rank"):
        await hosted(prompt=Prompt("rank", "who?", "Right"), language=NAMES)


async def test_a_method_that_a_hosted_model_cannot_do_says_what_to_train(tmp_path: Path) -> None:
    own = Method("bare", "Not hosted.", (Task(NameSettings),), NAMING.build_pipeline)
    decoder = settings(tmp_path, decoder_url=closed_url(), decoder_model="big")
    async with open_app(decoder) as opened:
        state = await opened.pipelines.describe_method(own)
        gcr = await opened.pipelines.describe_method(METHODS["gcr"])
        model = await load_path_model(opened)
        assert isinstance(model, GeneralModel)
        with pytest.raises(WrongTaskError, match=r"cannot do task 'name'.*TRELLIS_MODEL"):
            await model.engine.decode([name_prompt(ASKED, NameSettings())], [NAMES], Search())
    assert isinstance(state.error, WrongTaskError)
    assert "'cypher' and 'path'" in state.error.problem
    assert gcr.is_ready


def test_a_method_that_shares_a_task_leaves_its_hosted_form_alone() -> None:
    sharing = Method("sharing", "Another use.", (Task(CypherSettings),), NAMING.build_pipeline)
    for methods in ((*METHODS.values(), sharing), (sharing, *METHODS.values())):
        assert set(list_hosted_tasks(methods)) == {"path", "cypher", "pattern", "chain"}
