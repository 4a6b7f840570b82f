package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// What the getters of a Row can say of a column, found by errors.Is.
var (
	ErrNoColumn = errors.New("the result has no such column")
	ErrNull     = errors.New("the value is null")
)

// Row is one row of a Result, its values in the order of the columns. A value is
// nil, a bool, a string or a json.Number.
//
// The typed getters fail with ErrNoColumn and ErrNull, and where the value is of
// another type or does not fit.
type Row struct {
	head   *rowHeader
	values []any
}

// Values returns the values in the order of the columns.
func (r Row) Values() []any { return slices.Clone(r.values) }

// Value returns a column's value as it is.
func (r Row) Value(column string) (any, error) {
	if r.head != nil {
		if i, ok := r.head.index[column]; ok {
			return r.values[i], nil
		}
	}
	return nil, fmt.Errorf("column %q: %w", column, ErrNoColumn)
}

// IsNull reports whether a column exists and is null.
func (r Row) IsNull(column string) bool {
	v, err := r.Value(column)
	return err == nil && v == nil
}

// Text returns a string: text, a date or timestamp, binary in base64.
func (r Row) Text(column string) (string, error) { return columnValueAsType[string](r, column, "text") }

// Bool returns a boolean.
func (r Row) Bool(column string) (bool, error) {
	return columnValueAsType[bool](r, column, "a boolean")
}

// Number returns a number with every digit that the server wrote.
func (r Row) Number(column string) (json.Number, error) {
	return columnValueAsType[json.Number](r, column, "a number")
}

// Float64 returns the float64 that is nearest to a number.
func (r Row) Float64(column string) (float64, error) {
	n, err := r.Number(column)
	if err != nil {
		return 0, err
	}
	f, err := n.Float64()
	if err != nil {
		return 0, fmt.Errorf("column %q: %w", column, err)
	}
	return f, nil
}

// Int64 returns an integer, which may be written with zeros after its point.
func (r Row) Int64(column string) (int64, error) {
	n, err := r.Number(column)
	if err != nil {
		return 0, err
	}
	whole, rest, _ := strings.Cut(n.String(), ".")
	if strings.Trim(rest, "0") != "" {
		return 0, fmt.Errorf("column %q: %s is not an integer", column, n)
	}
	i, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("column %q: %w", column, err)
	}
	return i, nil
}

// Time returns a date or timestamp, in UTC where it names no zone.
func (r Row) Time(column string) (time.Time, error) {
	text, err := r.Text(column)
	if err != nil {
		return time.Time{}, err
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05", time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("column %q: %q is neither a date nor a timestamp", column, text)
}

func columnValueAsType[T any](r Row, column, kind string) (T, error) {
	var none T
	v, err := r.Value(column)
	if err != nil {
		return none, err
	}
	if v == nil {
		return none, fmt.Errorf("column %q: %w", column, ErrNull)
	}
	t, ok := v.(T)
	if !ok {
		return none, fmt.Errorf("column %q: %v is not %s", column, v, kind)
	}
	return t, nil
}

// MarshalJSON writes an object in the order of the columns.
func (r Row) MarshalJSON() ([]byte, error) {
	if r.head == nil {
		return []byte("{}"), nil
	}
	return writeJSONObject(len(r.values), func(i int) (string, any) { return r.head.columns[i], r.values[i] })
}
