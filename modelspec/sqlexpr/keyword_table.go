package sqlexpr

import "github.com/semlayer/semlayer/modelspec/lexical"

// keyword is a word of the grammar; notKeyword is any other. Only the
// reserved ones cannot be a bare name: they may still be a qualifier
// (order.amount) or follow a dot (t.from).
type keyword uint8

const (
	notKeyword keyword = iota

	// Reserved.
	kwAnd
	kwAs
	kwBetween
	kwCase
	kwCast
	kwDistinct
	kwElse
	kwEnd
	kwExcept
	kwExists
	kwFalse
	kwFrom
	kwHaving
	kwILike
	kwIn
	kwIntersect
	kwIs
	kwJoin
	kwLike
	kwNot
	kwNull
	kwOr
	kwSelect
	kwThen
	kwTrue
	kwUnion
	kwWhen
	kwWhere
	kwCurrentDate
	kwCurrentTime
	kwCurrentTimestamp
	reservedKeywordsEnd

	// Known by context only.
	kwAll
	kwAny
	kwAsc
	kwAt
	kwBoth
	kwBy
	kwCollate
	kwCurrent
	kwDate
	kwDateAdd
	kwDateDiff
	kwDatePart
	kwDateTime
	kwDateTrunc
	kwDesc
	kwEscape
	kwExtract
	kwFilter
	kwFirst
	kwFollowing
	kwFor
	kwGroup
	kwIgnore
	kwInterval
	kwLast
	kwLeading
	kwNulls
	kwOrder
	kwOver
	kwPartition
	kwPosition
	kwPreceding
	kwPrecision
	kwRange
	kwRespect
	kwRow
	kwRows
	kwSome
	kwSubstr
	kwSubstring
	kwTime
	kwTimestamp
	kwTimestampTZ
	kwTrailing
	kwTrim
	kwTryCast
	kwUnbounded
	kwUnknown
	kwVarying
	kwWith
	kwWithin
	kwWithout
	kwZone
)

func (k keyword) isReserved() bool { return k > notKeyword && k < reservedKeywordsEnd }

var keywordsByText = map[string]keyword{
	"and": kwAnd, "as": kwAs, "between": kwBetween, "case": kwCase, "cast": kwCast, "distinct": kwDistinct,
	"else": kwElse, "end": kwEnd, "except": kwExcept, "exists": kwExists, "false": kwFalse, "from": kwFrom,
	"having": kwHaving, "ilike": kwILike, "in": kwIn, "intersect": kwIntersect, "is": kwIs, "join": kwJoin,
	"like": kwLike, "not": kwNot, "null": kwNull, "or": kwOr, "select": kwSelect, "then": kwThen,
	"true": kwTrue, "union": kwUnion, "when": kwWhen, "where": kwWhere,
	"current_date": kwCurrentDate, "current_time": kwCurrentTime, "current_timestamp": kwCurrentTimestamp,

	"all": kwAll, "any": kwAny, "asc": kwAsc, "at": kwAt, "both": kwBoth, "by": kwBy, "collate": kwCollate,
	"current": kwCurrent, "date": kwDate, "dateadd": kwDateAdd, "datediff": kwDateDiff, "date_part": kwDatePart,
	"datetime": kwDateTime, "date_trunc": kwDateTrunc, "desc": kwDesc, "escape": kwEscape, "extract": kwExtract,
	"filter": kwFilter, "first": kwFirst, "following": kwFollowing, "for": kwFor, "group": kwGroup,
	"ignore": kwIgnore, "interval": kwInterval, "last": kwLast, "leading": kwLeading, "nulls": kwNulls,
	"order": kwOrder, "over": kwOver, "partition": kwPartition, "position": kwPosition,
	"preceding": kwPreceding, "precision": kwPrecision, "range": kwRange, "respect": kwRespect, "row": kwRow,
	"rows": kwRows, "some": kwSome, "substr": kwSubstr, "substring": kwSubstring, "time": kwTime,
	"timestamp": kwTimestamp, "timestamp_ntz": kwDateTime, "timestamp_ltz": kwTimestampTZ,
	"timestamp_tz": kwTimestampTZ, "timestamptz": kwTimestampTZ, "trailing": kwTrailing, "trim": kwTrim, "try_cast": kwTryCast,
	"unbounded": kwUnbounded, "unknown": kwUnknown, "varying": kwVarying, "with": kwWith, "within": kwWithin,
	"without": kwWithout, "zone": kwZone,
}

// maxKeywordOrFunctionNameLength is the length of the longest keyword or function name; a longer
// word is neither, and need not be folded to find out.
const maxKeywordOrFunctionNameLength = 24

// lowerASCII lower-cases s into buf; ok is false for a word too long to be known.
func lowerASCII(buf *[maxKeywordOrFunctionNameLength]byte, s string) (b []byte, ok bool) {
	if len(s) > len(buf) {
		return nil, false
	}
	return lexical.AppendLower(buf[:0], s), true
}

func lookupKeyword(s string) keyword {
	var buf [maxKeywordOrFunctionNameLength]byte
	b, ok := lowerASCII(&buf, s)
	if !ok {
		return notKeyword
	}
	return keywordsByText[string(b)]
}
