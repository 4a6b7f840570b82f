package query

import (
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// valueShape is the JSON shape of a value with the way to read it into a V.
type valueShape[V any] struct {
	kind   bodyKeyValueKind
	nested []bodyKey
	read   func(*scanner, *V) error
	bounds KeyBounds
}

var (
	textShape         = valueShape[string]{bodyKeyValueText, nil, (*scanner).readText, KeyBounds{}}
	nameShape         = valueShape[string]{bodyKeyValueText, nil, (*scanner).readName, KeyBounds{}}
	filledNameShape   = valueShape[string]{bodyKeyValueText, nil, readNonEmptyName, KeyBounds{MinLength: 1}}
	timeZoneShape     = valueShape[string]{bodyKeyValueText, nil, readTimeZone, KeyBounds{MinLength: 1}}
	weekdayShape      = valueShape[string]{bodyKeyValueText, nil, readWeekday, KeyBounds{Values: sqlexpr.WeekdayNames()}}
	fanOutShape       = valueShape[string]{bodyKeyValueText, nil, readFanOut, KeyBounds{Values: fanOutChoices}}
	statementShape    = valueShape[string]{bodyKeyValueText, nil, readStatementText, KeyBounds{Required: true, MinLength: 1}}
	scalarsShape      = valueShape[[]ParamValue]{bodyKeyValueScalarArray, nil, readScalars, KeyBounds{MaxItems: limits.QueryParams}}
	booleanShape      = valueShape[bool]{bodyKeyValueBoolean, nil, (*scanner).readBool, KeyBounds{}}
	choiceShape       = valueShape[*bool]{bodyKeyValueBoolean, nil, readOptionalBool, KeyBounds{Null: true}}
	countShape        = valueShape[*int64]{bodyKeyValueInteger, nil, (*scanner).readCount, KeyBounds{}}
	offsetShape       = valueShape[int64]{bodyKeyValueInteger, nil, (*scanner).readRowOffset, KeyBounds{}}
	timeRangeShape    = valueShape[*TimeRange]{bodyKeyValueFixedKeysObject, keysOfReaders(timeRangeKeyReaders), readAnyTimeRange, KeyBounds{}}
	windowShape       = valueShape[*TimeRange]{bodyKeyValueFixedKeysObject, keysOfReaders(boundedRangeKeyReaders), readWindow, KeyBounds{}}
	orderShape        = valueShape[[]OrderBy]{bodyKeyValueObjectArray, keysOfReaders(orderByKeyReaders), readOrderBys, KeyBounds{}}
	paramsShape       = valueShape[[]ParamBinding]{bodyKeyValueScalarMap, nil, readParams, KeyBounds{}}
	withShape         = valueShape[[]LocalField]{bodyKeyValueObjectArray, keysOfReaders(localFieldKeyReaders), readLocalFields, KeyBounds{MaxItems: limits.QueryLocalFields}}
	sequencesShape    = valueShape[[]Sequence]{bodyKeyValueObjectArray, keysOfReaders(sequenceKeyReaders), readSequences, KeyBounds{MinItems: 1, MaxItems: limits.QuerySequences}}
	segmentsShape     = valueShape[*int64]{bodyKeyValueInteger, nil, (*scanner).readCount, KeyBounds{Least: 1, Most: MaxValuesPerDimension}}
	groupsShape       = valueShape[[]GroupBy]{bodyKeyValueObjectArray, keysOfReaders(groupByKeyReaders), readGroupBys, KeyBounds{}}
	taggedRangesShape = valueShape[[]TaggedRange]{bodyKeyValueObjectMap, keysOfReaders(timeRangeKeyReaders), readTaggedRanges, KeyBounds{}}
	totalsShape       = valueShape[[][]string]{bodyKeyValueNestedTextArray, nil, readTotalLevels, KeyBounds{MinItems: 1, MaxItems: limits.QueryTotals}}
	sharesShape       = valueShape[[]ShareRequest]{bodyKeyValueObjectArray, keysOfReaders(shareKeyReaders), readShares, KeyBounds{MaxItems: limits.QueryShares}}
	compareShape      = valueShape[Comparisons]{bodyKeyValueObjectOrArray, keysOfReaders(compareKeyReaders), readComparisons, KeyBounds{MinItems: 1, MaxItems: limits.QueryComparisons}}
	topShape          = valueShape[*Top]{bodyKeyValueFixedKeysObject, keysOfReaders(topKeyReaders), readTop, KeyBounds{}}
	rollupsShape      = valueShape[*Rollups]{bodyKeyValueBooleanOrText, nil, readRollups, KeyBounds{}}
	fillShape         = valueShape[*Fill]{bodyKeyValueFixedKeysObject, keysOfReaders(fillKeyReaders), readFill, KeyBounds{}}
)

// namesShape is a list of at most most names, which is not empty where it is needed.
func namesShape(most int) valueShape[[]string] {
	return valueShape[[]string]{bodyKeyValueTextArray, nil, func(s *scanner, into *[]string) error { return s.readTexts(into, most) }, KeyBounds{MinItems: 1}}
}

func readWeekday(s *scanner, into *string) error {
	return readChoice(s, into, sqlexpr.WeekdayNames())
}

func readAnyTimeRange(s *scanner, into **TimeRange) error {
	return readTimeRange(s, timeRangeKeyReaders, into)
}

func readWindow(s *scanner, into **TimeRange) error {
	return readTimeRange(s, boundedRangeKeyReaders, into)
}

// MaxValuesPerDimension bounds max_values_per_dimension of an attribution.
const MaxValuesPerDimension = 1000
