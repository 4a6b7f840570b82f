package table

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Diff describes how got differs from want, "" when it does not. The names of the
// columns must be equal; the rows in order when ordered, otherwise as multisets.
func Diff(want, got *Table, ordered bool) string {
	if !slices.Equal(want.Columns, got.Columns) {
		return fmt.Sprintf("columns\n want %q\n  got %q\n", want.Columns, got.Columns)
	}
	var b strings.Builder
	if ordered {
		diffOrdered(&b, want, got)
	} else {
		diffUnordered(&b, want, got)
	}
	if b.Len() == 0 {
		return ""
	}
	return "    " + strings.Join(want.Columns, " | ") + "\n" + b.String()
}

func diffOrdered(b *strings.Builder, want, got *Table) {
	for i := range max(len(want.Rows), len(got.Rows)) {
		switch {
		case i >= len(got.Rows):
			writeRow(b, "-", i, want.Rows[i])
		case i >= len(want.Rows):
			writeRow(b, "+", i, got.Rows[i])
		case !sameRow(want.Rows[i], got.Rows[i]):
			writeRow(b, "-", i, want.Rows[i])
			writeRow(b, "+", i, got.Rows[i])
		}
	}
}

func diffUnordered(b *strings.Builder, want, got *Table) {
	left := slices.Clone(got.Rows)
	for i, row := range want.Rows {
		at := slices.IndexFunc(left, func(r Row) bool { return sameRow(row, r) })
		if at < 0 {
			writeRow(b, "-", i, row)
			continue
		}
		left = slices.Delete(left, at, at+1)
	}
	for i, row := range left {
		writeRow(b, "+", i, row)
	}
}

func writeRow(b *strings.Builder, sign string, i int, r Row) {
	cells := make([]string, len(r))
	for j, c := range r {
		cells[j] = c.String()
	}
	fmt.Fprintf(b, "%s %2d %s\n", sign, i, strings.Join(cells, " | "))
}

func sameRow(want, got Row) bool {
	return slices.EqualFunc(want, got, sameCell)
}

// sameCell compares with some charity towards the oracle only: an engine
// without booleans answers it with 0 and 1.
func sameCell(want, got Cell) bool {
	switch {
	case want.Kind == CellKindNull || got.Kind == CellKindNull:
		return want.Kind == got.Kind
	case got.Kind == CellKindNumber:
		return (want.Kind == CellKindUntypedText || want.Kind == CellKindNumber) && sameNumber(want.Text, got.Text)
	case got.Kind == CellKindBool && want.Kind == CellKindNumber:
		return (want.Text == "1") == (got.Text == "true") && (want.Text == "1" || want.Text == "0")
	}
	return (want.Kind == CellKindUntypedText || want.Kind == got.Kind) && want.Text == got.Text
}

var (
	relativeTolerance = big.NewRat(1, 1_000_000_000)
	// zeroTolerance is what a sum that should be zero may leave over in doubles.
	zeroTolerance = big.NewRat(1, 1_000_000_000_000)
)

// sameNumber compares integers exactly and others within 1e-9.
func sameNumber(want, got string) bool {
	w, ok := new(big.Rat).SetString(want)
	if !ok {
		return false
	}
	g, ok := new(big.Rat).SetString(got)
	if !ok {
		return false
	}
	if isInteger(want) && isInteger(got) {
		return w.Cmp(g) == 0
	}
	bound := new(big.Rat).Abs(w)
	if a := new(big.Rat).Abs(g); a.Cmp(bound) > 0 {
		bound = a
	}
	bound.Mul(bound, relativeTolerance)
	if bound.Cmp(zeroTolerance) < 0 {
		bound = zeroTolerance
	}
	difference := new(big.Rat).Sub(w, g)
	return difference.Abs(difference).Cmp(bound) <= 0
}

func isInteger(s string) bool { return !strings.ContainsAny(s, ".eE") }
