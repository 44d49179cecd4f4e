"""One tree of errors. Each says what was wrong, where, and what to do.

These are all classes, each with the HTTP status that the service answers with. The command line
ends with exit code 1 on any of them.

    TrellisError                      500
      InputError                      422
        QuestionError                 422
        FileFormatError               422
        CodecError                    422
        TooLargeError                 413
        UnknownLanguageError          404
        CypherReadError               422
        UnknownMethodError            422
        UnknownTopicError             404
        NotKeptError                  404
        QueryError                    400
          QuerySyntaxError            400
      OutOfTimeError                  504
      BusyError                       429
      LeftError                       499
      GraphError                      503
        GraphUnavailableError         503
        GraphTimeoutError             504
        EmptyGraphError               409
        NotIndexedError               409
        PluginMissingError            503
      RefusedQueryError               403
      ModelError                      503
        ModelMissingError             503
        ModelDamagedError             503
        WrongTaskError                409
        VocabularyMismatchError       503
        DecoderError                  503
          DecoderTimeoutError         504
      ReasonerError                   502
      TrainingError                   422
      StoreError                      503
      ServiceError                    500
      NotReadyError                   503
      UnreachableError                502

What a service raises, its client raises again, by the class of the same name.
"""

from __future__ import annotations


class TrellisError(Exception):
    """Root of all errors of ours. `problem`: what was wrong and where; `remedy`: what to do."""

    status = 500
    title = "Internal error"

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(f"{problem}; {remedy}" if remedy else problem)
        self.problem = problem
        self.remedy = remedy


class InputError(TrellisError):
    """The asker's input cannot be used as it is."""

    status = 422
    title = "Unusable input"


class QuestionError(InputError):
    """An empty, overlong or unreadable question."""

    title = "Unusable question"


class FileFormatError(InputError):
    """A file that is not in the format it should be in; says file and line."""

    title = "Unreadable file"


class CodecError(InputError):
    """Bytes that are no language or neighbourhood of ours, are damaged, or would be too large."""

    title = "Unreadable bytes"


class TooLargeError(InputError):
    """More bytes than are taken."""

    status = 413
    title = "Too large"


class UnknownLanguageError(InputError):
    """A language by its hash, which the worker does not hold (any more)."""

    status = 404
    title = "Unknown language"


class CypherReadError(InputError):
    """A Cypher text that is not of the subset that is read, or that the language cannot say."""

    title = "Unreadable query"


class UnknownMethodError(InputError):
    """A method that this service does not have."""

    title = "Unknown method"


class UnknownTaskError(InputError):
    """A task that no model can be trained for."""

    title = "Unknown task"


class UnknownTopicError(InputError):
    """A given topic is not the name of any node."""

    status = 404
    title = "Unknown topic"


class NotKeptError(InputError):
    """No answer of that id."""

    status = 404
    title = "No such answer"


class OutOfTimeError(TrellisError):
    """A question took longer than its budget allows; says in which step it was."""

    status = 504
    title = "Out of time"


class BusyError(TrellisError):
    """As many questions are being answered, and as many wait, as the service takes."""

    status = 429
    title = "Too many questions at once"


class LeftError(TrellisError):
    """Whoever asked went away before the answer."""

    status = 499
    title = "Client left"


class GraphError(TrellisError):
    """The graph could not be read."""

    status = 503
    title = "Graph unavailable"


class GraphUnavailableError(GraphError):
    """Neo4j is not there, went away, or refuses us."""


class GraphTimeoutError(GraphError):
    """Neo4j took longer than allowed."""

    status = 504
    title = "Graph timed out"


class EmptyGraphError(GraphError):
    """There is no node to answer about."""

    status = 409
    title = "Empty graph"


class NotIndexedError(GraphError):
    """The graph was not made ready for linking."""

    status = 409
    title = "Graph not indexed"


class PluginMissingError(GraphError):
    """The Trellis procedures are not installed in Neo4j."""

    title = "Procedures missing"


class RefusedQueryError(TrellisError):
    """The gate refused a query: it would write, or cost too much."""

    status = 403
    title = "Query refused"


class QueryError(InputError):
    """A query cannot be answered as it stands: a wrong type, a parameter that is missing."""

    status = 400
    title = "Query failed"


class QuerySyntaxError(QueryError):
    """A query that does not parse, or names a function or variable that is not there."""

    title = "Query does not parse"


class ModelError(TrellisError):
    """A model cannot be used."""

    status = 503
    title = "Model unavailable"


class ModelMissingError(ModelError):
    """No model folder is there, or a package that carries one is missing."""


class ModelDamagedError(ModelError):
    """A model folder is truncated or not ours."""


class WrongTaskError(ModelError):
    """A model was trained for another task than a method needs."""

    status = 409
    title = "Model of another task"


class ModelOutdatedError(ModelError):
    """A model was trained under options that this version does not have."""

    title = "Model of an older version"


class VocabularyMismatchError(ModelError):
    """A model's weights and its tokenizer do not belong together."""


class DecoderError(ModelError):
    """The hosted model or worker that decodes is not there, refuses, or answers as none should."""

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


class StoreError(TrellisError):
    """The answer store is not there or not migrated."""

    status = 503
    title = "Store unavailable"


class ServiceError(TrellisError):
    """The service cannot start: a port is taken, a folder locked, Java missing."""

    title = "Cannot start"


class NotReadyError(TrellisError):
    """Something that answers need is not there."""

    status = 503
    title = "Not ready"


class UnreachableError(TrellisError):
    """No service of ours answers at an address."""

    status = 502
    title = "Service unreachable"
