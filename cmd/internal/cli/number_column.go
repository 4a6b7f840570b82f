package cli

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/semlayer/semlayer/engine"
)

const (
	maxFormatDecimals  = 20
	maxUnitSuffixWidth = 16
	// maxExponentDigits bounds the memory of a number whose digits are written out.
	maxExponentDigits = 4
)

// numberColumn shows the numbers of one column: in its format, all with the same number of decimals, with the unit beside
// them. A format that is not known changes nothing.
type numberColumn struct {
	decimals int
	percent  bool // the numbers are shown a hundred times as large
	compact  bool // each number has a letter for its size
	rounded  bool // no format sets the decimals
	suffix   string
	unit     string
	// difference marks changes. Those of percents are points.
	difference bool
}

// newNumberColumn returns how a column with these numbers is shown.
func newNumberColumn(f engine.ColumnFormat, numbers ...string) numberColumn {
	c := numberColumn{unit: displaywidth.TruncateString(terminalSafeLine(f.Unit), maxUnitSuffixWidth, "…"), difference: f.Difference}
	name, detail, given := strings.Cut(f.Format, ":")
	digits, wellFormed := parseFormatDecimalPlaces(detail)
	switch {
	case name == "number" && wellFormed:
		c.decimals = digits
	case name == "percent" && wellFormed:
		c.percent, c.suffix, c.decimals = true, percentSuffix, digits
	case name == "percent" && !given:
		c.percent, c.suffix = true, percentSuffix
		c.decimals = decimalsInUse(c.exactNumbers(numbers), defaultPercentDecimals)
	case name == "currency" && isCurrencyCode(detail):
		c.suffix, c.decimals = detail, currencyDecimals(detail)
	case f.Format == "compact":
		c.compact = true
	default:
		c.rounded, c.decimals = true, roundedDecimals(numbers, c.exactNumbers(numbers))
	}
	return c
}

// percentSuffix is what percents have beside them, and pointsSuffix their changes.
const (
	percentSuffix = "%"
	pointsSuffix  = "pp"
)

// text returns one number of the column.
func (c numberColumn) text(number string) string {
	shown, suffix, unit := c.digits(number), c.suffix, c.unit
	if suffix == percentSuffix && unit == "percent" || suffix == unit {
		unit = ""
	}
	if c.difference {
		if unit == percentSuffix || unit == "percent" {
			unit = pointsSuffix
		}
		if suffix == percentSuffix {
			suffix = pointsSuffix
		}
	}
	if suffix != "" && unit != "" {
		suffix += " "
	}
	return strings.TrimRight(shown+" "+suffix+unit, " ")
}

// changeText returns a change of the column's numbers, with its sign.
func (c numberColumn) changeText(number string) string {
	c.difference = true
	text := c.text(number)
	if value, ok := parseExactNumber(number); ok && value.Sign() > 0 {
		text = "+" + text
	}
	return text
}

// digits returns a number without what is beside it.
func (c numberColumn) digits(number string) string {
	value, ok := parseExactNumber(number)
	switch {
	case !ok:
		return roundNumberForDisplay(number)
	case c.compact:
		return formatCompactNumber(number, value)
	case c.rounded && (isScientific(number) || isRoundedToZero(value, c.decimals)):
		return roundNumberForDisplay(number)
	case c.percent:
		value.Mul(value, big.NewRat(100, 1))
	}
	return value.FloatString(c.decimals)
}

// exactNumbers returns the numbers as the column shows them, without those that keep a separate notation.
func (c numberColumn) exactNumbers(numbers []string) []*big.Rat {
	out := make([]*big.Rat, 0, len(numbers))
	for _, n := range numbers {
		value, ok := parseExactNumber(n)
		if !ok || !c.percent && isScientific(n) {
			continue
		}
		if c.percent {
			value.Mul(value, big.NewRat(100, 1))
		}
		out = append(out, value)
	}
	return out
}

func isScientific(number string) bool { return strings.ContainsAny(number, "eE") }

func isRoundedToZero(value *big.Rat, decimals int) bool {
	return value.Sign() != 0 && strings.Trim(value.FloatString(decimals), "-0.") == ""
}

// roundedDecimals returns the decimals of a column without a format: as many as the longest number has, or, where one has more
// than prices and rates have, as many as the largest number needs.
func roundedDecimals(numbers []string, values []*big.Rat) int {
	most := 0
	for _, n := range numbers {
		if _, fraction, _ := strings.Cut(n, "."); !isScientific(n) {
			most = max(most, len(fraction))
		}
	}
	if most <= maxExactDecimals {
		return most
	}
	largest := 0.0
	for _, v := range values {
		size, _ := v.Float64()
		largest = max(largest, math.Abs(size))
	}
	most = decimalsAfterRounding
	if largest != 0 && largest < 1 {
		most -= int(math.Floor(math.Log10(largest))) + 1 // leading zeros carry no information
	}
	return decimalsInUse(values, most)
}

// decimalsInUse returns how many of the most decimals are not zero in every number.
func decimalsInUse(values []*big.Rat, most int) int {
	used := 0
	for _, v := range values {
		_, fraction, _ := strings.Cut(trimTrailingZeros(v.FloatString(most)), ".")
		used = max(used, len(fraction))
	}
	return used
}

const defaultPercentDecimals = 2

func parseFormatDecimalPlaces(text string) (int, bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n <= maxFormatDecimals
}

func parseExactNumber(text string) (*big.Rat, bool) {
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(exponent) > maxExponentDigits {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

func trimTrailingZeros(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// formatCompactNumber writes thousands, millions, billions and trillions with one decimal.
func formatCompactNumber(text string, value *big.Rat) string {
	shown, thousand := roundNumberForDisplay(text), big.NewRat(1000, 1)
	limit := thousand // of what needs no letter
	for _, letter := range []string{"K", "M", "B", "T"} {
		if new(big.Rat).Abs(value).Cmp(limit) < 0 {
			break
		}
		value = new(big.Rat).Quo(value, thousand)
		shown = trimTrailingZeros(value.FloatString(1)) + letter
		limit = big.NewRat(99995, 100) // which one decimal rounds to a thousand
	}
	return shown
}

func isCurrencyCode(text string) bool {
	return len(text) == 3 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// currencyDecimals returns the number of decimals the minor unit of a currency has, by ISO 4217.
func currencyDecimals(code string) int {
	switch {
	case slices.Contains(currenciesWithoutDecimals, code):
		return 0
	case slices.Contains(currenciesWithThreeDecimals, code):
		return 3
	}
	return 2
}

var (
	currenciesWithoutDecimals   = []string{"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"}
	currenciesWithThreeDecimals = []string{"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}
)
