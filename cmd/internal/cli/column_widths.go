package cli

import (
	"math"
	"math/big"
	"strings"
)

// The limits of a table's columns, in columns of a terminal.
const (
	maxCellWidth          = 80 // the most of a text where the width is not known
	minColumnWidth        = 8  // the least that a text keeps when its column is narrowed
	columnGap             = 2
	hiddenColumnsMark     = "…"
	decimalsAfterRounding = 4 // of a number with more digits than maxExactDecimals
	maxExactDecimals      = 6
)

// fitColumnWidths narrows the columns that may be cut, the widest first, until a row fits into a
// line of the terminal. It returns how many columns fit: if not all fit, the last cell of
// the line holds the mark for hidden columns. A limit of 0 means unlimited.
func fitColumnWidths(widths []int, mayCut []bool, limit int) (shown int) {
	if limit <= 0 {
		return len(widths)
	}
	for shown = len(widths); ; shown-- {
		room := limit
		if shown < len(widths) {
			room -= columnGap + 1
		}
		if narrowColumnsToFit(widths[:shown], mayCut, room) || shown <= 1 {
			return shown
		}
	}
}

// narrowColumnsToFit reports whether the columns fit into a line, and narrows them when they do.
func narrowColumnsToFit(widths []int, mayCut []bool, room int) bool {
	total, least := columnGap*(len(widths)-1), columnGap*(len(widths)-1)
	for i, w := range widths {
		total += w
		if mayCut[i] {
			w = min(w, minColumnWidth)
		}
		least += w
	}
	if least > room {
		return false
	}
	for ; total > room; total-- {
		widest, most := -1, 0
		for i, w := range widths {
			if i == 0 {
				w /= 2 // the first column names the row: it is cut last
			}
			if mayCut[i] && widths[i] > minColumnWidth && w > most {
				widest, most = i, w
			}
		}
		widths[widest]--
	}
	return true
}

// roundNumberForDisplay returns a number for people: one with more decimals than a price or a rate has is
// cut to a few. JSON and CSV have every digit.
func roundNumberForDisplay(text string) string {
	mantissa, _, scientific := strings.Cut(strings.ToLower(text), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	if !scientific && len(fraction) <= maxExactDecimals {
		return text
	}
	value, ok := new(big.Float).SetPrec(256).SetString(text)
	if !ok {
		return text
	}
	if scientific {
		return value.Text('g', decimalsAfterRounding+1)
	}
	decimals := decimalsAfterRounding
	if size, _ := value.Float64(); size != 0 && math.Abs(size) < 1 {
		decimals -= int(math.Floor(math.Log10(math.Abs(size)))) + 1 // leading zeros carry no information
	}
	return strings.TrimSuffix(strings.TrimRight(value.Text('f', decimals), "0"), ".")
}
