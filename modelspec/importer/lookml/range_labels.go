package lookml

import (
	"errors"
	"math/big"
	"strings"
)

// rangeLabelStyle makes the labels of the ranges of a tier or bin dimension. The bounds are ascending
// numbers as the file writes them; the functions take them as texts.
type rangeLabelStyle struct {
	below   func(end string) string
	between func(start, end string) string
	above   func(start string) string
}

// rangeLabelStylesByName are the styles by name. The style classic numbers its labels, so that they sort as
// their ranges do; here it has the labels of interval.
var rangeLabelStylesByName = map[string]rangeLabelStyle{
	"interval": {
		func(end string) string { return "(-inf," + end + ")" },
		func(start, end string) string { return "[" + start + "," + end + ")" },
		func(start string) string { return "[" + start + ",inf)" },
	},
	"integer": {
		func(end string) string { return "Below " + end },
		integerRangeLabel,
		func(start string) string { return start + " or Above" },
	},
	"relational": {
		func(end string) string { return "< " + end },
		func(start, end string) string { return ">= " + start + " and < " + end },
		func(start string) string { return ">= " + start },
	},
}

const classicRangeLabelStyle = "classic"

// integerRangeLabel names a range by its first and its last integer.
func integerRangeLabel(start, end string) string {
	first, ok := new(big.Int).SetString(start, 10)
	last, okEnd := new(big.Int).SetString(end, 10)
	if !ok || !okEnd {
		return start + " to " + end
	}
	if last.Sub(last, big.NewInt(1)); first.Cmp(last) == 0 {
		return start
	}
	return start + " to " + last.String()
}

// rangeLabelsAsSQL returns the CASE of a dimension of type tier or bin: a label for each range of numbers, and
// Undefined for NULL. The bounds stand in the list of the key.
func rangeLabelsAsSQL(d *dimension, key string) (string, error) {
	style := strings.ToLower(d.block.valueOfKey("style"))
	if style == "" || style == classicRangeLabelStyle {
		style = "interval"
	}
	label, known := rangeLabelStylesByName[style]
	if !known {
		return "", errors.New("the style " + style + " is not known")
	}
	bounds := d.block.listValuesOfKey(key)
	if len(bounds) == 0 {
		return "", errors.New("it has no " + key)
	}
	var out strings.Builder
	out.WriteString("CASE")
	for i, bound := range bounds {
		text := label.below(bound)
		if i > 0 {
			text = label.between(bounds[i-1], bound)
			if !isLessNumber(bounds[i-1], bound) {
				return "", errors.New("its " + key + " are not ascending numbers")
			}
		}
		if !numberPattern.MatchString(bound) {
			return "", errors.New("its " + key + " are not ascending numbers")
		}
		out.WriteString(" WHEN (" + d.sql + ") < " + bound + " THEN " + quoteStringLiteral(text))
	}
	last := bounds[len(bounds)-1]
	out.WriteString(" WHEN (" + d.sql + ") >= " + last + " THEN " + quoteStringLiteral(label.above(last)))
	return out.String() + " ELSE 'Undefined' END", nil
}

// isLessNumber compares two numbers; texts that are not numbers are not less than any.
func isLessNumber(a, b string) bool {
	x, ok := new(big.Rat).SetString(a)
	y, okOther := new(big.Rat).SetString(b)
	return ok && okOther && x.Cmp(y) < 0
}
