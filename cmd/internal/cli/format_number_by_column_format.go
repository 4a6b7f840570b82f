package cli

import (
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

// formatNumber shows a number in the format of its column, with the unit beside it. A format that is
// not known changes nothing.
func formatNumber(text string, f engine.ColumnFormat) string {
	shown, suffix := formatNumberAndSuffix(text, f.Format)
	unit := displaywidth.TruncateString(terminalSafeLine(f.Unit), maxUnitSuffixWidth, "…")
	switch {
	case suffix == "%" && (unit == "%" || unit == "percent"), suffix == unit:
		unit = ""
	case suffix != "" && unit != "":
		suffix += " "
	}
	return strings.TrimRight(shown+" "+suffix+unit, " ")
}

// formatNumberAndSuffix returns a number in a format, and what the format shows after it.
func formatNumberAndSuffix(text, format string) (shown, suffix string) {
	name, detail, given := strings.Cut(format, ":")
	digits, wellFormed := parseFormatDecimalPlaces(detail)
	value, isNumber := parseExactNumber(text)
	switch {
	case !isNumber:
	case name == "number" && wellFormed:
		return value.FloatString(digits), ""
	case name == "percent" && (wellFormed || !given):
		value.Mul(value, big.NewRat(100, 1))
		if !given {
			return trimTrailingZeros(value.FloatString(defaultPercentDecimals)), "%"
		}
		return value.FloatString(digits), "%"
	case name == "currency" && isCurrencyCode(detail):
		return value.FloatString(currencyDecimals(detail)), detail
	case format == "compact":
		return formatCompactNumber(text, value), ""
	}
	return roundNumberForDisplay(text), ""
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
