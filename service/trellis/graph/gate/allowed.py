"""What a query may use: first words, functions, procedures, operators; the rest is refused."""

from __future__ import annotations

FIRST_WORDS = frozenset({"MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL"})
"""The words that a query may begin with; none sets options, as `CYPHER` and `USE` do."""

_COMMANDS = """
ALTER CREATE CYPHER DEALLOCATE DELETE DENY DETACH DROP DRYRUN ENABLE EXPLAIN FINISH FOREACH
GRANT INSERT LOAD MERGE NODETACH PROFILE REALLOCATE REMOVE RENAME REVOKE SET SHOW START STOP
TERMINATE USE FILTER LET FOR WHEN USING PERIODIC COMMIT BEGIN ROLLBACK
"""
FORBIDDEN_WORDS = frozenset(_COMMANDS.split())
"""The other words that Cypher may begin with; after any further word it does not parse."""

PROCEDURES = frozenset(
    {
        "db.index.fulltext.querynodes",
        "db.index.fulltext.queryrelationships",
        "db.index.vector.querynodes",
        "db.index.vector.queryrelationships",
    }
)
"""Procedures, in lower case; `trellis.*` are allowed too, since all of them only read."""

_AGGREGATES = "avg collect count max min percentileCont percentileDisc stDev stDevP sum"
_PREDICATES = "all any exists isEmpty none single"
_LISTS = """
coalesce endNode head id elementId keys labels last length nodes nullIf properties range reduce
relationships size startNode tail type valueType toBooleanList toFloatList toIntegerList
toStringList
"""
_NUMBERS = """
abs acos asin atan atan2 ceil cos cot degrees e exp floor haversin isNaN log log10 pi radians rand
round sign sin sqrt tan toBoolean toBooleanOrNull toFloat toFloatOrNull toInteger toIntegerOrNull
"""
_TEXTS = """
btrim char_length character_length left lower lTrim normalize randomUUID replace reverse right
rTrim split substring toLower toString toStringOrNull toUpper trim upper
"""
_TIMES = """
date date.realtime date.statement date.transaction date.truncate
datetime datetime.fromEpoch datetime.fromEpochMillis datetime.realtime datetime.statement
datetime.transaction datetime.truncate
duration duration.between duration.inDays duration.inMonths duration.inSeconds
localdatetime localdatetime.realtime localdatetime.statement localdatetime.transaction
localdatetime.truncate
localtime localtime.realtime localtime.statement localtime.transaction localtime.truncate
time time.realtime time.statement time.transaction time.truncate timestamp
"""
_PLACES = """
point point.distance point.withinBBox vector.similarity.cosine vector.similarity.euclidean
"""

FUNCTIONS = frozenset(
    " ".join((_AGGREGATES, _PREDICATES, _LISTS, _NUMBERS, _TEXTS, _TIMES, _PLACES)).lower().split()
)
"""Neo4j's own functions, in lower case, without those that reveal files or databases."""

REFUSED_FUNCTIONS = frozenset({"file", "linenumber"})
"""Neo4j's own functions that are refused, those without a dot in their names."""

_CONNECTING = """
ALL ALLSHORTESTPATHS AND ANY AS ASC ASCENDING BY CALL CASE CONTAINS DESC DESCENDING DISTINCT
ELSE GROUP GROUPS IN IS LIMIT MATCH NOT OFFSET OR PATH PATHS RETURN SHORTEST SHORTESTPATH SKIP
THEN UNWIND WHEN WHERE WITH XOR
"""
BEFORE_BRACKETS = frozenset(_CONNECTING.split())
"""Keywords that may stand before `(` without calling a function."""

_SCANS = """
AllNodesScan NodeByLabelScan UnionNodeByLabelsScan IntersectionNodeByLabelsScan
SubtractionNodeByLabelsScan DirectedAllRelationshipsScan UndirectedAllRelationshipsScan
DirectedRelationshipTypeScan UndirectedRelationshipTypeScan DirectedUnionRelationshipTypesScan
UndirectedUnionRelationshipTypesScan NodeCountFromCountStore RelationshipCountFromCountStore
"""
_SEEKS = """
NodeByElementIdSeek NodeByIdSeek DirectedRelationshipByElementIdSeek
UndirectedRelationshipByElementIdSeek DirectedRelationshipByIdSeek UndirectedRelationshipByIdSeek
NodeIndexSeek NodeIndexSeekByRange NodeUniqueIndexSeek NodeUniqueIndexSeekByRange
MultiNodeIndexSeek NodeIndexScan NodeIndexContainsScan NodeIndexEndsWithScan
DirectedRelationshipIndexSeek UndirectedRelationshipIndexSeek DirectedRelationshipIndexSeekByRange
UndirectedRelationshipIndexSeekByRange DirectedRelationshipUniqueIndexSeek
UndirectedRelationshipUniqueIndexSeek DirectedRelationshipIndexScan
UndirectedRelationshipIndexScan DirectedRelationshipIndexContainsScan
UndirectedRelationshipIndexContainsScan DirectedRelationshipIndexEndsWithScan
UndirectedRelationshipIndexEndsWithScan
"""
_EXPANDS = """
Expand(All) Expand(Into) OptionalExpand(All) OptionalExpand(Into) VarLengthExpand(All)
VarLengthExpand(Into) VarLengthExpand(Pruning) VarLengthExpand(Pruning,All)
VarLengthExpand(Pruning,BFS) VarLengthExpand(Pruning,BFS,All) VarLengthExpand(Pruning,BFS,Into)
Repeat(Trail) BidirectionalRepeat(Trail) ShortestPath StatefulShortestPath(All)
StatefulShortestPath(Into) ProjectEndpoints TriadicSelection TriadicBuild TriadicFilter
"""
_JOINS = """
Apply SemiApply AntiSemiApply LetSemiApply LetAntiSemiApply SelectOrSemiApply
SelectOrAntiSemiApply LetSelectOrSemiApply LetSelectOrAntiSemiApply ConditionalApply
AntiConditionalApply RollUpApply CartesianProduct NodeHashJoin ValueHashJoin
NodeLeftOuterHashJoin NodeRightOuterHashJoin Union OrderedUnion AssertSameNode
AssertSameRelationship
"""
_ROWS = """
ProduceResults EmptyResult EmptyRow Argument ArgumentTracker Aggregation EagerAggregation
OrderedAggregation Distinct OrderedDistinct Limit ExhaustiveLimit Skip Sort PartialSort Top
PartialTop Unwind UnwindCollection Optional Projection Filter CacheProperties NullifyMetadata
PreserveOrder ProcedureCall
"""
_PARTITIONED = {f"Partitioned{name}" for name in (_SCANS + _SEEKS + "Unwind").split()}

OPERATORS = frozenset((_SCANS + _SEEKS + _EXPANDS + _JOINS + _ROWS).split()) | _PARTITIONED
"""Operators that only read, as plans name them (without `@database`)."""

_MANY = ("VarLength", "Repeat", "BidirectionalRepeat", "Stateful")
EXPANDING_OPERATORS = frozenset(name for name in OPERATORS if name.startswith(_MANY))
"""Operators that follow a variable number of relationships."""
