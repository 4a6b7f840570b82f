package parse

// maxKeywordLength is the length of the longest keyword; a longer word need not be folded.
const maxKeywordLength = 24

// lookupKeyword returns the keyword that a word is, without regard to case.
func lookupKeyword(s string) keyword {
	var buf [maxKeywordLength]byte
	if len(s) > len(buf) {
		return notKeyword
	}
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	return keywordsByText[string(buf[:len(s)])]
}

var keywordsByText = map[string]keyword{
	"all": kwAll, "analyse": kwAnalyse, "analyze": kwAnalyze, "and": kwAnd, "any": kwAny, "array": kwArray, "as": kwAs,
	"asc": kwAsc, "asymmetric": kwAsymmetric, "both": kwBoth, "case": kwCase, "cast": kwCast, "check": kwCheck,
	"collate": kwCollate, "column": kwColumn, "constraint": kwConstraint, "create": kwCreate,
	"current_catalog": kwCurrentCatalog, "current_date": kwCurrentDate, "current_role": kwCurrentRole,
	"current_time": kwCurrentTime, "current_timestamp": kwCurrentTimestamp, "current_user": kwCurrentUser,
	"default": kwDefault, "deferrable": kwDeferrable, "desc": kwDesc, "distinct": kwDistinct, "do": kwDo, "else": kwElse,
	"end": kwEnd, "except": kwExcept, "false": kwFalse, "fetch": kwFetch, "for": kwFor, "foreign": kwForeign, "from": kwFrom,
	"grant": kwGrant, "group": kwGroup, "having": kwHaving, "in": kwIn, "initially": kwInitially, "intersect": kwIntersect,
	"into": kwInto, "lateral": kwLateral, "leading": kwLeading, "limit": kwLimit, "localtime": kwLocaltime,
	"localtimestamp": kwLocaltimestamp, "not": kwNot, "null": kwNull, "offset": kwOffset, "on": kwOn, "only": kwOnly,
	"or": kwOr, "order": kwOrder, "placing": kwPlacing, "primary": kwPrimary, "references": kwReferences,
	"returning": kwReturning, "select": kwSelect, "session_user": kwSessionUser, "some": kwSome, "symmetric": kwSymmetric,
	"table": kwTable, "then": kwThen, "to": kwTo, "trailing": kwTrailing, "true": kwTrue, "union": kwUnion,
	"unique": kwUnique, "user": kwUser, "using": kwUsing, "variadic": kwVariadic, "when": kwWhen, "where": kwWhere,
	"window": kwWindow, "with": kwWith, "authorization": kwAuthorization, "binary": kwBinary, "collation": kwCollation,
	"concurrently": kwConcurrently, "cross": kwCross, "current_schema": kwCurrentSchema, "freeze": kwFreeze, "full": kwFull,
	"ilike": kwIlike, "inner": kwInner, "is": kwIs, "isnull": kwIsnull, "join": kwJoin, "left": kwLeft, "like": kwLike,
	"natural": kwNatural, "notnull": kwNotnull, "outer": kwOuter, "overlaps": kwOverlaps, "right": kwRight,
	"similar": kwSimilar, "tablesample": kwTablesample, "verbose": kwVerbose, "between": kwBetween, "bigint": kwBigint,
	"bit": kwBit, "boolean": kwBoolean, "char": kwChar, "character": kwCharacter, "coalesce": kwCoalesce, "dec": kwDec,
	"decimal": kwDecimal, "exists": kwExists, "extract": kwExtract, "float": kwFloat, "greatest": kwGreatest,
	"grouping": kwGrouping, "inout": kwInout, "int": kwInt, "integer": kwInteger, "interval": kwInterval, "least": kwLeast,
	"national": kwNational, "nchar": kwNchar, "normalize": kwNormalize, "nullif": kwNullif,
	"numeric": kwNumeric, "out": kwOut, "overlay": kwOverlay, "position": kwPosition, "precision": kwPrecision,
	"real": kwReal, "row": kwRow, "setof": kwSetof, "smallint": kwSmallint, "substring": kwSubstring, "time": kwTime,
	"timestamp": kwTimestamp, "treat": kwTreat, "trim": kwTrim, "values": kwValues, "varchar": kwVarchar,
	"xmlattributes": kwXmlattributes, "xmlconcat": kwXmlconcat, "xmlelement": kwXmlelement, "xmlexists": kwXmlexists,
	"xmlforest": kwXmlforest, "xmlnamespaces": kwXmlnamespaces, "xmlparse": kwXmlparse, "xmlpi": kwXmlpi,
	"xmlroot": kwXmlroot, "xmlserialize": kwXmlserialize, "xmltable": kwXmltable, "agg": kwAgg, "at": kwAt, "by": kwBy,
	"cube": kwCube, "current": kwCurrent, "date": kwDate, "day": kwDay, "delete": kwDelete, "dimensions": kwDimensions,
	"escape": kwEscape, "exclude": kwExclude, "facts": kwFacts, "filter": kwFilter, "first": kwFirst,
	"following": kwFollowing, "groups": kwGroups, "hour": kwHour, "ignore": kwIgnore, "insert": kwInsert,
	"key": kwKey, "last": kwLast, "local": kwLocal, "measure": kwMeasure, "merge": kwMerge, "metrics": kwMetrics,
	"minute": kwMinute, "month": kwMonth, "next": kwNext, "no": kwNo, "nulls": kwNulls,
	"operator": kwOperator, "over": kwOver, "partition": kwPartition, "preceding": kwPreceding,
	"range": kwRange, "recursive": kwRecursive, "respect": kwRespect, "rollup": kwRollup,
	"rows": kwRows, "second": kwSecond, "semantic_view": kwSemanticView, "sets": kwSets, "share": kwShare,
	"timestamptz": kwTimestamptz, "unbounded": kwUnbounded, "unknown": kwUnknown, "update": kwUpdate, "varying": kwVarying,
	"within": kwWithin, "without": kwWithout, "year": kwYear, "zone": kwZone,
}
