package sqlexpr

// Func identifies a function of the expression language under all of its names (NVL and IFNULL are both FnCoalesce).
type Func uint8

// The functions. FnUnknown is any name outside the table.
const (
	FnUnknown Func = iota

	// Aggregates of metrics.
	FnSum
	FnCount
	FnAvg
	FnMin
	FnMax
	FnBoolAnd
	FnBoolOr
	FnAnyValue
	FnStddevPop
	FnStddevSamp
	FnVarPop
	FnVarSamp
	FnMedian
	FnPercentileCont // args: x, p
	FnPercentileDisc // args: x, p
	FnApproxCountDistinct
	FnApproxPercentile // args: x, p
	FnListagg          // args: x, separator, and what it orders by where that is not x
	// Aggregates that windows use.
	FnCovarPop
	FnCovarSamp
	FnCorr
	FnOtherAggregate // MODE, ARRAY_AGG, …: recognised so that they can be rejected

	// Window functions.
	FnRowNumber
	FnRank
	FnDenseRank
	FnNtile
	FnPercentRank
	FnCumeDist
	FnFirstValue
	FnLastValue
	FnNthValue
	FnLag
	FnLead

	// Date and time.
	FnCurrentDate
	FnCurrentTimestamp
	FnCurrentTime
	FnYear
	FnQuarter
	FnMonth
	FnDay
	FnDayOfYear
	FnDayOfWeek
	FnHour
	FnMinute
	FnSecond
	FnDateTrunc
	FnDateAdd
	FnDateDiff
	FnElapsedSeconds // no text names it
	FnToDate         // args: x, and the format of a string
	FnToChar         // args: x, format
	FnToTimestamp

	// Strings.
	FnConcat
	FnLength
	FnLower
	FnUpper
	FnTrim
	FnLTrim
	FnRTrim
	FnLeft
	FnRight
	FnSubstring
	FnReplace
	FnSplitPart
	FnPosition // args: needle, haystack
	FnContains // args: haystack, needle
	FnRegexpLike
	FnRegexpCount
	FnStartsWith
	FnEndsWith

	// Numbers.
	FnAbs
	FnCeil
	FnFloor
	FnRound
	FnTrunc
	FnMod
	FnPower
	FnSqrt
	FnExp
	FnLn
	FnLog // one argument: base 10; two: base, x
	FnSign
	FnGreatest
	FnLeast

	// Nulls and logic.
	FnCoalesce
	FnNullIf
	FnIf

	functionCount
)
