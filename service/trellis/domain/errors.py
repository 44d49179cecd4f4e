"""One tree of errors. Each says what was wrong, where, and what to do.

These are all classes, each with the HTTP status that the service answers with. The command line
ends with exit code 1 on any of them.

    TrellisError                      500
      InputError                      422
        QuestionError                 422
        ClaimError                    422
        FileFormatError               422
        CodecError                    422
        TooLargeError                 413
        NotAcceptableError            406
        UnsupportedMediaError         415
        UnknownLanguageError          404
        CypherReadError               422
        UnknownMethodError            422
        UnknownModelError             404
        UnknownTaskError              422
        UnknownTopicError             404
        UnknownGraphError             404
        PatternError                  422
        NotKeptError                  404
        KeySettingsError              422
        RetentionError                422
        KeyInAddressError             400
        WrongHostError                421
        TwoLengthsError               400
        HistoryError                  422
        FollowUpError                 422
        QueryError                    400
          QuerySyntaxError            400
      OutOfTimeError                  504
      BusyError                       429
      LeftError                       499
      AccessError                     403
        KeyRequiredError              401
        KeyRefusedError               401
        ScopeError                    403
        RateLimitError                429
        IssuerError                   503
      GraphError                      503
        GraphUnavailableError         503
        GraphTimeoutError             504
        EmptyGraphError               409
        NotIndexedError               409
        PluginMissingError            503
        GraphRightsError              503
      RefusedQueryError               403
      ModelError                      503
        ModelMissingError             503
        ModelDamagedError             503
        UnsafeModelError              503
        WrongTaskError                409
        GuidanceMismatchError         409
        ModelOutdatedError            503
        ModelMemoryError              503
        VocabularyMismatchError       503
        DecoderError                  503
          DecoderTimeoutError         504
      ReasonerError                   502
      TrainingError                   422
        TrainingStoppedError          422
      StoreError                      503
      ServiceError                    500
      MethodBrokenError               500
      NotReadyError                   503
      UnreachableError                502

What a service raises, its client raises again, by the class of the same name.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Self


class TrellisError(Exception):
    """The root of Trellis's errors. `problem`: what was wrong and where; `remedy`: what to do."""

    status = 500
    title = "Internal error"

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(f"{problem}; {remedy}" if remedy else problem)
        self.problem = problem
        self.remedy = remedy


class InputError(TrellisError):
    """The caller's input cannot be used as it is."""

    status = 422
    title = "Unusable input"


class QuestionError(InputError):
    """An empty, overlong or unreadable question."""

    title = "Unusable question"


class ClaimError(InputError):
    """An empty, overlong or unreadable claim, or one that asks something."""

    title = "Unusable claim"


class FileFormatError(InputError):
    """A file that is not in the format it should be in; says file and line."""

    title = "Unreadable file"


class CodecError(InputError):
    """Bytes that encode no language or neighbourhood, are damaged, or would be too large."""

    title = "Unreadable bytes"


class TooLargeError(InputError):
    """A request has more bytes than are accepted."""

    status = 413
    title = "Too large"


class NotAcceptableError(InputError):
    """A request accepts only media types that the service does not give there."""

    status = 406
    title = "Not acceptable"


class UnsupportedMediaError(InputError):
    """A body of a media type that is not read."""

    status = 415
    title = "Unsupported media type"


class UnknownLanguageError(InputError):
    """A language was named by its hash, and the worker does not hold it, or no longer does."""

    status = 404
    title = "Unknown language"


class CypherReadError(InputError):
    """A Cypher text outside of the subset that is read, or one that the language cannot say."""

    title = "Unreadable query"


class UnknownMethodError(InputError):
    """The named method does not exist in this service."""

    title = "Unknown method"


class UnknownModelError(InputError):
    """The model that an OpenAI client names is none of this service's."""

    status = 404
    title = "Unknown model"


class UnknownTaskError(InputError):
    """A task that no model can be trained for."""

    title = "Unknown task"


class UnknownTopicError(InputError):
    """A given topic is not the name of any node."""

    status = 404
    title = "Unknown topic"


class UnknownGraphError(InputError):
    """The service serves no graph of that name."""

    status = 404
    title = "Unknown graph"


class PatternError(InputError):
    """A pattern that cannot be searched for, or candidates that do not fit it."""

    title = "Unusable pattern"


class NotKeptError(InputError):
    """No answer with that id is stored."""

    status = 404
    title = "No such answer"


class KeySettingsError(InputError):
    """A key cannot be made as asked: its name, a scope, its expiry or its rate limit."""

    title = "Unusable key settings"


class RetentionError(InputError):
    """What is to be deleted by its age, or of a caller, cannot be told from what was given."""

    title = "Unusable deletion"


class KeyInAddressError(InputError):
    """A key stands in the query string of a request."""

    status = 400
    title = "Key in the address"


class WrongHostError(InputError):
    """A request addresses the service by a name that it does not go by."""

    status = 421
    title = "Not this host"


class TwoLengthsError(InputError):
    """A request that says twice, in two ways, how long its body is."""

    status = 400
    title = "Two lengths"


class HistoryError(InputError):
    """Earlier turns of a conversation that cannot be used: too many, or too long."""

    title = "Unusable history"


class FollowUpError(InputError):
    """It cannot be told what a question refers to; steps end in a reply that says so."""

    title = "Unclear follow-up"


class OutOfTimeError(TrellisError):
    """A question took longer than its budget allows; the problem names the step that it was in."""

    status = 504
    title = "Out of time"


class BusyError(TrellisError):
    """The service already answers, and lets wait, as many questions as it accepts.

    `retry_seconds`: when there is room again, as far as can be foreseen.
    """

    status = 429
    title = "Too many questions at once"

    def __init__(self, problem: str, remedy: str = "", retry_seconds: int = 1) -> None:
        super().__init__(problem, remedy)
        self.retry_seconds = retry_seconds


class LeftError(TrellisError):
    """The client went away before the answer."""

    status = 499
    title = "Client left"


class AccessError(TrellisError):
    """A request is not let in."""

    status = 403
    title = "Not allowed"


class KeyRequiredError(AccessError):
    """The service asks for a key, and the request carries none."""

    status = 401
    title = "Key required"


class KeyRefusedError(AccessError):
    """A key or token is unknown, wrong, revoked or expired."""

    status = 401
    title = "Key refused"


class ScopeError(AccessError):
    """A key lacks a scope, or may not ask a graph. `scopes`: those of which it needs one."""

    title = "Scope missing"

    def __init__(self, problem: str, remedy: str = "", scopes: Collection[str] = ()) -> None:
        super().__init__(problem, remedy)
        self.scopes = tuple(scopes)


class RateLimitError(AccessError):
    """A caller asked more often than it may, or for more. `rates`: what is left of each limit.

    `retry_seconds`: when to ask again, where no rate tells.
    """

    status = 429
    title = "Too many requests"

    def __init__(
        self,
        problem: str,
        remedy: str = "",
        rates: Sequence[object] = (),
        retry_seconds: int = 0,
    ) -> None:
        super().__init__(problem, remedy)
        self.rates = tuple(rates)
        self.retry_seconds = retry_seconds


class IssuerError(AccessError):
    """The issuer of bearer tokens cannot be reached, so that no token can be checked."""

    status = 503
    title = "Issuer unavailable"


class GraphError(TrellisError):
    """The graph could not be read."""

    status = 503
    title = "Graph unavailable"


class GraphUnavailableError(GraphError):
    """Neo4j cannot be reached, closed the connection, or refused it."""


class GraphTimeoutError(GraphError):
    """Neo4j took longer than allowed."""

    status = 504
    title = "Graph timed out"


class EmptyGraphError(GraphError):
    """The graph has no node."""

    status = 409
    title = "Empty graph"


class NotIndexedError(GraphError):
    """The graph lacks the indexes that linking needs."""

    status = 409
    title = "Graph not indexed"


class PluginMissingError(GraphError):
    """The Trellis procedures are not installed in Neo4j."""

    title = "Procedures missing"


class GraphRightsError(GraphError):
    """Neo4j lets its user do less than was needed, or the database lets nobody write."""

    title = "No right to do so in Neo4j"


class RefusedQueryError(TrellisError):
    """The gate refused a query: it would write, or cost too much."""

    status = 403
    title = "Query refused"


class QueryError(InputError):
    """A query cannot be answered as it stands: a wrong type, a parameter that is missing."""

    status = 400
    title = "Query failed"


class QuerySyntaxError(QueryError):
    """A query does not parse, or names a function or variable that does not exist."""

    title = "Query does not parse"


class ModelError(TrellisError):
    """A model cannot be used."""

    status = 503
    title = "Model unavailable"


class ModelMissingError(ModelError):
    """There is no model folder, or the package that contains the model is not installed."""


class ModelDamagedError(ModelError):
    """A model folder is truncated, changed, or not one of Trellis."""


class UnsafeModelError(ModelError):
    """A model whose files would run code when they are read: a pickle, or Python of its own."""

    title = "Unsafe model"


class WrongTaskError(ModelError):
    """A model was trained for another task than a method needs."""

    status = 409
    title = "Model of another task"


class GuidanceMismatchError(ModelError):
    """A guidance model that was trained on another graph, or with another embedder."""

    status = 409
    title = "Guidance of another graph"


class ModelOutdatedError(ModelError):
    """A model was trained under options that this version does not have."""

    title = "Model of an older version"


class ModelMemoryError(ModelError):
    """The weights of all models together would take more memory than is allowed."""

    title = "Models too large"


class VocabularyMismatchError(ModelError):
    """A model's weights and its tokenizer do not belong together."""


class DecoderError(ModelError):
    """The hosted model or worker cannot be reached, refuses, or answers wrongly."""

    title = "Decoder failed"


class DecoderTimeoutError(DecoderError):
    """The hosted model or worker that decodes took longer than allowed."""

    status = 504
    title = "Decoder timed out"


class ReasonerError(TrellisError):
    """The reasoning model failed; the offline vote can stand in."""

    status = 502
    title = "Reasoner failed"


class TrainingError(TrellisError):
    """Training cannot be done with what was given."""

    status = 422
    title = "Training impossible"


class TrainingStoppedError(TrainingError):
    """Training was stopped from outside. `kept_step`: the step behind which the same training goes
    on; None where it kept none as it stopped."""

    title = "Training stopped"
    kept_step: int | None = None

    def keep(self, step: int | None) -> Self:
        """The same error, of a training that kept a step."""
        self.kept_step = step
        return self


class StoreError(TrellisError):
    """The answer store cannot be reached, or is not migrated."""

    status = 503
    title = "Store unavailable"


class ServiceError(TrellisError):
    """The service cannot start: a port is taken, a folder locked, Java missing."""

    title = "Cannot start"


class MethodBrokenError(TrellisError):
    """A method ended in an error that nobody foresaw."""

    title = "Method broken"


class NotReadyError(TrellisError):
    """Something that answering needs is missing."""

    status = 503
    title = "Not ready"


class UnreachableError(TrellisError):
    """No Trellis service answers at an address."""

    status = 502
    title = "Service unreachable"
