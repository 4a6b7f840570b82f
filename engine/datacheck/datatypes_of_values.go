package datacheck

import (
	"fmt"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec"
)

// timeTextLayouts are the forms of dates and times in texts, by datatype.
var timeTextLayouts = map[modelspec.Datatype][]string{
	modelspec.DatatypeDate: instantTextLayouts, modelspec.DatatypeDateTime: instantTextLayouts, modelspec.DatatypeDateTimeTz: instantTextLayouts,
	modelspec.DatatypeTime: {time.TimeOnly, "15:04"},
}

// instantTextLayouts are a date alone, and a time of day after a blank or a T, with or without an offset. A fraction may follow the seconds.
var instantTextLayouts = []string{
	time.DateOnly, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04",
	"2006-01-02 15:04:05Z07:00", time.RFC3339, "2006-01-02 15:04Z07:00", "2006-01-02T15:04Z07:00",
}

// datatypeFromValues returns the datatype of the values of a column, "" where all are null, on an engine whose columns have
// no types: it keeps dates as texts, decimals as floats, and booleans as 0 and 1. Where the values can be of the
// declared datatype, they are.
func datatypeFromValues(rows [][]any, column int, declared, found modelspec.Datatype) modelspec.Datatype {
	var texts []string
	for _, row := range rows {
		if row[column] != nil {
			texts = append(texts, fmt.Sprint(row[column]))
		}
	}
	if len(texts) == 0 {
		return ""
	}
	fit := func(string) bool { return false }
	switch found {
	case modelspec.DatatypeString:
		fit = func(text string) bool { return matchesAnyLayout(text, timeTextLayouts[declared]) }
	case modelspec.DatatypeFloat:
		switch declared {
		case modelspec.DatatypeInteger:
			fit = isWholeNumber
		case modelspec.DatatypeDecimal:
			return declared
		}
	case modelspec.DatatypeInteger:
		if declared == modelspec.DatatypeBoolean {
			fit = func(text string) bool { return text == "0" || text == "1" || text == "true" || text == "false" }
		}
	}
	for _, text := range texts {
		if !fit(text) {
			return found
		}
	}
	return declared
}

func isWholeNumber(text string) bool {
	whole, fraction, _ := strings.Cut(text, ".")
	return strings.Trim(fraction, "0") == "" && strings.Trim(whole, "-0123456789") == ""
}

func matchesAnyLayout(text string, layouts []string) bool {
	for _, layout := range layouts {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}
