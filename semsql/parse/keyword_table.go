package parse

import "github.com/semlayer/semlayer/modelspec/lexical"

// maxKeywordLength is the length of the longest keyword; a longer word need not be folded.
const maxKeywordLength = 24

// lookupKeyword returns the keyword that a word is, without regard to case.
func lookupKeyword(s string) keyword {
	var buf [maxKeywordLength]byte
	if len(s) > len(buf) {
		return notKeyword
	}
	return keywordsByText[string(lexical.AppendLower(buf[:0], s))]
}

var keywordsByText = map[string]keyword{
	"all": kwAll, "analyse": kwOtherReserved, "analyze": kwOtherReserved, "and": kwAnd, "any": kwAny, "array": kwArray,
	"as": kwAs, "asc": kwAsc, "asymmetric": kwAsymmetric, "both": kwBoth, "case": kwCase, "cast": kwCast,
	"check": kwOtherReserved, "collate": kwCollate, "column": kwOtherReserved, "constraint": kwOtherReserved,
	"create": kwCreate, "current_catalog": kwCurrentCatalog, "current_date": kwCurrentDate, "current_role": kwCurrentRole,
	"current_time": kwCurrentTime, "current_timestamp": kwCurrentTimestamp, "current_user": kwCurrentUser,
	"default": kwDefault, "deferrable": kwOtherReserved, "desc": kwDesc, "distinct": kwDistinct, "do": kwOtherReserved,
	"else": kwElse, "end": kwEnd, "except": kwExcept, "false": kwFalse, "fetch": kwFetch, "for": kwFor,
	"foreign": kwOtherReserved, "from": kwFrom, "grant": kwGrant, "group": kwGroup, "having": kwHaving, "in": kwIn,
	"initially": kwOtherReserved, "intersect": kwIntersect, "into": kwInto, "lateral": kwLateral, "leading": kwLeading,
	"limit": kwLimit, "localtime": kwLocaltime, "localtimestamp": kwLocaltimestamp, "not": kwNot, "null": kwNull,
	"offset": kwOffset, "on": kwOn, "only": kwOnly, "or": kwOr, "order": kwOrder, "placing": kwOtherReserved,
	"primary": kwOtherReserved, "references": kwOtherReserved, "returning": kwReturning, "select": kwSelect,
	"session_user": kwSessionUser, "some": kwSome, "symmetric": kwSymmetric, "table": kwTable, "then": kwThen, "to": kwTo,
	"trailing": kwTrailing, "true": kwTrue, "union": kwUnion, "unique": kwOtherReserved, "user": kwUser, "using": kwUsing,
	"variadic": kwVariadic, "when": kwWhen, "where": kwWhere, "window": kwWindow, "with": kwWith,
	"authorization": kwOtherFunction, "binary": kwOtherFunction, "collation": kwOtherFunction, "concurrently": kwOtherFunction,
	"cross": kwCross, "current_schema": kwCurrentSchema, "freeze": kwOtherFunction, "full": kwFull, "ilike": kwIlike,
	"inner": kwInner, "is": kwIs, "isnull": kwIsnull, "join": kwJoin, "left": kwLeft, "like": kwLike, "natural": kwNatural,
	"notnull": kwNotnull, "outer": kwOuter, "overlaps": kwOverlaps, "right": kwRight, "similar": kwSimilar,
	"tablesample": kwTablesample, "verbose": kwOtherFunction, "between": kwBetween, "bigint": kwOtherColumn, "bit": kwBit,
	"boolean": kwOtherColumn, "char": kwChar, "character": kwCharacter, "coalesce": kwCoalesce, "dec": kwOtherColumn,
	"decimal": kwOtherColumn, "exists": kwExists, "extract": kwExtract, "float": kwOtherColumn, "greatest": kwGreatest,
	"grouping": kwGrouping, "inout": kwOtherColumn, "int": kwOtherColumn, "integer": kwOtherColumn, "interval": kwInterval,
	"least": kwLeast, "national": kwNational, "nchar": kwNchar, "normalize": kwNormalize, "nullif": kwNullif,
	"numeric": kwOtherColumn, "out": kwOtherColumn, "overlay": kwOverlay, "position": kwPosition, "precision": kwPrecision,
	"real": kwOtherColumn, "row": kwRow, "setof": kwSetof, "smallint": kwOtherColumn, "substring": kwSubstring, "time": kwTime,
	"timestamp": kwTimestamp, "treat": kwTreat, "trim": kwTrim, "values": kwValues, "varchar": kwOtherColumn,
	"xmlattributes": kwOtherColumn, "xmlconcat": kwXmlconcat, "xmlelement": kwXmlelement, "xmlexists": kwXmlexists,
	"xmlforest": kwXmlforest, "xmlnamespaces": kwOtherColumn, "xmlparse": kwXmlparse, "xmlpi": kwXmlpi, "xmlroot": kwXmlroot,
	"xmlserialize": kwXmlserialize, "xmltable": kwXmltable, "agg": kwAgg, "at": kwAt, "by": kwBy, "cube": kwCube,
	"current": kwCurrent, "date": kwDate, "day": kwDay, "delete": kwDelete, "dimensions": kwDimensions, "escape": kwEscape,
	"exclude": kwExclude, "facts": kwFacts, "filter": kwFilter, "first": kwFirst, "following": kwFollowing, "groups": kwGroups,
	"hour": kwHour, "ignore": kwIgnore, "insert": kwInsert, "key": kwKey, "last": kwLast, "local": kwLocal,
	"measure": kwMeasure, "merge": kwMerge, "metrics": kwMetrics, "minute": kwMinute, "month": kwMonth, "next": kwNext,
	"no": kwNo, "nulls": kwNulls, "operator": kwOperator, "over": kwOver, "partition": kwPartition, "preceding": kwPreceding,
	"range": kwRange, "recursive": kwRecursive, "respect": kwRespect, "rollup": kwRollup, "rows": kwRows, "second": kwSecond,
	"semantic_view": kwSemanticView, "sets": kwSets, "share": kwShare, "timestamptz": kwTimestamptz, "unbounded": kwUnbounded,
	"unknown": kwUnknown, "update": kwUpdate, "varying": kwVarying, "within": kwWithin, "without": kwWithout, "year": kwYear,
	"zone": kwZone,
}
