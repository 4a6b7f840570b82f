package reference

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Value is a value of a row: nil for NULL, bool, float64, string, Date, Timestamp or
// TimestampTZ.
type Value any

// Date is a calendar day, counted from 1970-01-01.
type Date int64

// Timestamp is a timestamp in UTC, in microseconds from 1970-01-01.
type Timestamp int64

// TimestampTZ is a timestamp that shows its zone, which is UTC.
type TimestampTZ Timestamp

// Row holds the columns of a stored row by name in lower case.
type Row map[string]Value

// Data holds the rows of each dataset by its name in lower case.
type Data map[string][]Row

// String returns the day as YYYY-MM-DD.
func (d Date) String() string { return d.toTime().Format(time.DateOnly) }

// String returns the timestamp in ISO 8601, with a fraction only when there is one.
func (s Timestamp) String() string {
	return time.UnixMicro(int64(s)).UTC().Format("2006-01-02T15:04:05.999999")
}

// String returns the timestamp in ISO 8601 with its zone.
func (z TimestampTZ) String() string { return Timestamp(z).String() + "Z" }

func (d Date) toTime() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

func (d Date) toTimestamp() Timestamp { return Timestamp(int64(d) * 86400 * 1e6) }

func (s Timestamp) toDate() Date { return Date(floorDiv(int64(s), 86400*1e6)) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func dateOfTime(t time.Time) Date { return Date(floorDiv(t.Unix(), 86400)) }

// ParseTime reads YYYY-MM-DD as a Date and the longer forms as a Timestamp.
func ParseTime(text string) (Value, error) {
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return dateOfTime(t), nil
	}
	text = strings.TrimSuffix(strings.TrimSuffix(strings.Replace(text, "T", " ", 1), "Z"), "+00:00")
	t, err := time.Parse("2006-01-02 15:04:05.999999", text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a time", text)
	}
	return Timestamp(t.UnixMicro()), nil
}

// FormatValue returns the value as the service's JSON shows it; numbers in shortest form.
func FormatValue(v Value) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return v
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(v)
}

// compareNonNull orders two values that are not NULL; ok is false when they have no
// order between them.
func compareNonNull(a, b Value) (order int, ok bool) {
	switch x := a.(type) {
	case float64:
		switch y := b.(type) {
		case float64:
			return cmp.Compare(x, y), true
		case string:
			if n, err := strconv.ParseFloat(strings.TrimSpace(y), 64); err == nil && !math.IsNaN(n) && !math.IsInf(n, 0) {
				return cmp.Compare(x, n), true
			}
		}
	case string:
		if y, isText := b.(string); isText {
			return cmp.Compare(x, y), true
		}
		order, ok = compareNonNull(b, a)
		return -order, ok
	case bool:
		if y, isBool := b.(bool); isBool {
			return cmp.Compare(boolToInt(x), boolToInt(y)), true
		}
	case Date, Timestamp, TimestampTZ:
		y, isTime := toTimestamp(b)
		m, _ := toTimestamp(a)
		return cmp.Compare(m, y), isTime
	}
	return 0, false
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// toTimestamp returns the timestamp of a date (its midnight), a stamp or a text of either.
func toTimestamp(v Value) (Timestamp, bool) {
	switch v := v.(type) {
	case Date:
		return v.toTimestamp(), true
	case Timestamp:
		return v, true
	case TimestampTZ:
		return Timestamp(v), true
	case string:
		if t, err := ParseTime(v); err == nil {
			return toTimestamp(t)
		}
	}
	return 0, false
}

// compareNullsLast orders any two values, NULL last.
func compareNullsLast(a, b Value) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	order, _ := compareNonNull(a, b)
	return order
}

// groupKey returns a text that is equal for equal values, NULL equal to itself.
func groupKey(values ...Value) string {
	var b strings.Builder
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			b.WriteString("-")
		case float64:
			if v == 0 {
				v = 0 // not minus zero
			}
			fmt.Fprintf(&b, "n%016x", math.Float64bits(v))
		default:
			text := FormatValue(v)
			fmt.Fprintf(&b, "%T%d:%s", v, len(text), text)
		}
		b.WriteByte('|')
	}
	return b.String()
}
