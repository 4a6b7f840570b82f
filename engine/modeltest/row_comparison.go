package modeltest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// maxShownRows is how many differing rows a failure shows.
const maxShownRows = 10

// compareWithExpectation compares a response with the expectation of the test. The message is "" when they agree.
func (r *testRunner) compareWithExpectation(ctx context.Context, t Test, got *testResponse) (message string, rows []string, err error) {
	e := t.Expect
	switch {
	case e.Count != nil:
		if n := int64(got.count); n < e.Count.Min || e.Count.Max >= 0 && n > e.Count.Max {
			return fmt.Sprintf("number of rows: %d, expected: %s", n, e.Count), nil, nil
		}
	case e.HasRows:
		message, rows = compareRows(expectedRows{columns: e.Columns, rows: e.Rows, subset: e.ColumnsSubset, ordered: r.isRowOrderChecked(t)}, got, e.Tolerance)
	case e.SQL != "":
		result, err := r.engine.ExecuteWarehouseSQL(ctx, r.Connection, e.SQL)
		want, err := decodeTestResponse(result, err)
		if err != nil {
			return "", nil, fmt.Errorf("expect.sql: %w", err)
		}
		x := expectedRows{columns: want.columns, rows: want.rows, subset: e.ColumnsSubset, ordered: e.Ordered != nil && *e.Ordered}
		if e.ByPosition {
			if n := len(want.columns); n > len(got.columns) || n < len(got.columns) && !e.ColumnsSubset {
				return fmt.Sprintf("the columns are %s; expected number: %d", strings.Join(got.columns, ", "), n), nil, nil
			}
			x.columns = got.columns[:len(want.columns)]
		}
		message, rows = compareRows(x, got, e.Tolerance)
	}
	return message, rows, nil
}

// String prints a range in words.
func (r RowCountRange) String() string {
	switch {
	case r.Min == r.Max:
		return fmt.Sprint(r.Min)
	case r.Max < 0:
		return fmt.Sprintf("at least %d", r.Min)
	}
	return fmt.Sprintf("%d to %d", r.Min, r.Max)
}

// isRowOrderChecked reports whether the order of rows counts.
func (r *testRunner) isRowOrderChecked(t Test) bool {
	if t.Expect.Ordered != nil {
		return *t.Expect.Ordered
	}
	has, ordered := hasOrderBy(t.Body)
	if has {
		return ordered
	}
	return r.saved[strings.ToLower(t.Saved)].Ordered
}

// expectedRows are the rows that a result must have.
type expectedRows struct {
	columns []string
	rows    [][]any
	subset  bool // the result may have further columns
	ordered bool
}

func compareRows(want expectedRows, got *testResponse, tolerance float64) (string, []string) {
	if len(want.columns) == 0 { // without a column only the number of rows can differ
		if len(want.rows) != len(got.rows) {
			return fmt.Sprintf("number of rows: %d, expected: %d", len(got.rows), len(want.rows)), nil
		}
		return "", nil
	}
	at := make([]int, len(want.columns))
	for i, c := range want.columns {
		if at[i] = slices.Index(got.columns, c); at[i] < 0 {
			return fmt.Sprintf("the column %s is missing; the columns are %s", c, strings.Join(got.columns, ", ")), nil
		}
	}
	if !want.subset && len(got.columns) != len(want.columns) {
		return fmt.Sprintf("the columns are %s, expected %s", strings.Join(got.columns, ", "), strings.Join(want.columns, ", ")), nil
	}
	rows := make([][]any, len(got.rows))
	for i, row := range got.rows {
		for _, j := range at {
			rows[i] = append(rows[i], row[j])
		}
	}
	var missing, extra []string
	if want.ordered {
		missing, extra = diffRowsInOrder(want.rows, rows, tolerance)
	} else {
		missing, extra = diffRowsAsMultisets(want.rows, rows, tolerance)
	}
	if len(missing)+len(extra) == 0 {
		return "", nil
	}
	message := fmt.Sprintf("missing rows: %d, unexpected rows: %d", len(missing), len(extra))
	if want.ordered {
		message += "; the order counts"
	}
	return message, slices.Concat(formatDifferingRows("- ", missing, maxShownRows/2), formatDifferingRows("+ ", extra, maxShownRows/2))
}

func formatDifferingRows(mark string, rows []string, most int) []string {
	var out []string
	for _, row := range rows[:min(len(rows), most)] {
		out = append(out, mark+row)
	}
	return out
}

func diffRowsInOrder(want, got [][]any, tolerance float64) (missing, extra []string) {
	for i := range max(len(want), len(got)) {
		if i < len(want) && i < len(got) && equalRows(want[i], got[i], tolerance) {
			continue
		}
		if i < len(want) {
			missing = append(missing, rowText(want[i]))
		}
		if i < len(got) {
			extra = append(extra, rowText(got[i]))
		}
	}
	return missing, extra
}

// diffRowsAsMultisets pairs rows that are equal. Rows whose texts and nulls agree are
// candidates; numbers then compare with the tolerance.
func diffRowsAsMultisets(want, got [][]any, tolerance float64) (missing, extra []string) {
	byKey := map[string][][]any{}
	for _, row := range got {
		byKey[rowKeyWithoutNumbers(row)] = append(byKey[rowKeyWithoutNumbers(row)], row)
	}
	for _, row := range want {
		key := rowKeyWithoutNumbers(row)
		i := slices.IndexFunc(byKey[key], func(other []any) bool { return equalRows(row, other, tolerance) })
		if i < 0 {
			missing = append(missing, rowText(row))
			continue
		}
		byKey[key] = slices.Delete(byKey[key], i, i+1)
	}
	for _, row := range got { // in the order of the result
		key := rowKeyWithoutNumbers(row)
		if slices.ContainsFunc(byKey[key], func(other []any) bool { return &other[0] == &row[0] }) {
			extra = append(extra, rowText(row))
		}
	}
	return missing, extra
}

// rowKeyWithoutNumbers returns the row without its numbers.
func rowKeyWithoutNumbers(row []any) string {
	var b strings.Builder
	for _, v := range row {
		if _, number := v.(json.Number); number {
			b.WriteString("number,")
		} else {
			b.WriteString(valueText(v) + ",")
		}
	}
	return b.String()
}

func rowText(row []any) string {
	texts := make([]string, len(row))
	for i, v := range row {
		texts[i] = valueText(v)
	}
	return strings.Join(texts, " | ")
}

func valueText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

func equalRows(a, b []any, tolerance float64) bool {
	return slices.EqualFunc(a, b, func(x, y any) bool { return equalValues(x, y, tolerance) })
}

// equalValues compares numbers by value, and everything else by its JSON.
func equalValues(a, b any, tolerance float64) bool {
	x, okX := a.(json.Number)
	y, okY := b.(json.Number)
	if !okX || !okY {
		return valueText(a) == valueText(b)
	}
	if len(x) > 400 || len(y) > 400 {
		return x == y
	}
	if f, err := x.Float64(); err != nil || f != 0 && (f > 1e300 || f < -1e300 || f < 1e-300 && f > -1e-300) {
		return x == y
	}
	if f, err := y.Float64(); err != nil || f != 0 && (f > 1e300 || f < -1e300 || f < 1e-300 && f > -1e-300) {
		return x == y
	}
	p, okP := new(big.Rat).SetString(string(x))
	q, okQ := new(big.Rat).SetString(string(y))
	if !okP || !okQ {
		return x == y
	}
	difference := new(big.Rat).Sub(p, q)
	if difference.Sign() == 0 {
		return true
	}
	largest := p.Abs(p)
	if q.Abs(q).Cmp(largest) > 0 {
		largest = q
	}
	allowed := new(big.Rat).SetFloat64(tolerance)
	return difference.Abs(difference).Cmp(allowed.Mul(allowed, largest)) <= 0
}
