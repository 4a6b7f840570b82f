package textcell_test

import (
	"errors"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor/internal/textcell"
)

var (
	micro = &arrow.TimestampType{Unit: arrow.Microsecond}
	nano  = &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "UTC"}
)

// both is the value as Arrow prints it and as JSON shows it.
func both(typ textcell.Type, text string) (column, json string, err error) {
	b := array.NewBuilder(memory.DefaultAllocator, typ.Arrow)
	defer b.Release()
	if err := typ.Bind(b)([]byte(text)); err != nil {
		if b.Len() != 0 {
			return "", "", errors.New("a text that is no value left one behind")
		}
		return "", "", err
	}
	a := b.NewArray()
	defer a.Release()
	out, err := typ.JSON([]byte("…"), []byte(text))
	if err != nil {
		return "", "", err
	}
	return a.ValueStr(0), string(out[len("…"):]), nil
}

func TestParse_EachType(t *testing.T) {
	for _, tt := range []struct {
		typ          textcell.Type
		text         string
		column, json string
	}{
		{textcell.Bool(), "true", "true", "true"},
		{textcell.Bool(), "false", "false", "false"},
		{textcell.Int[int8](), "-128", "-128", "-128"},
		{textcell.Int[int64](), "9223372036854775807", "9223372036854775807", "9223372036854775807"},
		{textcell.Float64(), "0.30000000000000004", "0.30000000000000004", "0.30000000000000004"},
		{textcell.Float64(), "1.0E21", "1e+21", "1e+21"},
		{textcell.Float64(), "NaN", "NaN", "null"},
		{textcell.Float64(), "-Infinity", "-Inf", "null"},
		{textcell.Float32(), "0.1", "0.1", "0.1"},
		{textcell.Decimal(10, 2), "12.5", "12.5", "12.50"},
		{textcell.Decimal(10, 2), "-0.05", "-0.05", "-0.05"},
		{textcell.Decimal(10, 2), "1.250E1", "12.5", "12.50"},
		{textcell.Decimal(10, 2), "5e-2", "0.05", "0.05"},
		{textcell.Decimal(10, 0), "150.00", "150", "150"},
		{textcell.Decimal(38, 0), "99999999999999999999999999999999999999", "99999999999999999999999999999999999999", "99999999999999999999999999999999999999"},
		{textcell.Decimal(76, 38), "-1.5", "-1.5", "-1.50000000000000000000000000000000000000"},
		{textcell.Decimal(77, 2), "1.5", "1.5", "1.5"},
		{textcell.Number(), "NaN", "NaN", "null"},
		{textcell.Date(), "2024-01-05", "2024-01-05", `"2024-01-05"`},
		{textcell.Date(), "0001-01-01", "0001-01-01", `"0001-01-01"`},
		{textcell.Timestamp(micro, textcell.ReadMoment), "2024-01-05 10:00:00", "2024-01-05T10:00:00", `"2024-01-05T10:00:00"`},
		{textcell.Timestamp(micro, textcell.ReadMoment), "1969-12-31T23:59:59.999999", "1969-12-31T23:59:59.999999", `"1969-12-31T23:59:59.999999"`},
		{textcell.Timestamp(nano, textcell.ReadMoment), "2024-01-05 10:00:00.000000001", "2024-01-05T10:00:00.000000001Z", `"2024-01-05T10:00:00.000000001Z"`},
		{textcell.Clock(), "10:00:00.500", "10:00:00.5", `"10:00:00.5"`},
		{textcell.TimeOfDay(&arrow.Time64Type{Unit: arrow.Microsecond}, textcell.ReadClock), "23:59:59.999999", "23:59:59.999999", `"23:59:59.999999"`},
		{textcell.Clock(), "10:00:00.000+01:00", "10:00:00+01:00", `"10:00:00+01:00"`},
		{textcell.Interval(textcell.ReadMonths), "-1-2", `{"months":-14,"days":0,"nanoseconds":0}`, `"P-1Y-2M"`},
		{textcell.Interval(textcell.ReadDays), "-2 03:04:05.321", `{"months":0,"days":-2,"nanoseconds":-11045321000000}`, `"P-2DT-3H-4M-5.321S"`},
		{textcell.Interval(textcell.ReadSpan), "1-2 -3 4:5:6.7", `{"months":14,"days":-3,"nanoseconds":14706700000000}`, `"P1Y2M-3DT4H5M6.7S"`},
		{textcell.Text(), `żółw "亀"`, `żółw "亀"`, `"żółw \"亀\""`},
		{textcell.Base64(), "AP9hYg==", "AP9hYg==", `"AP9hYg=="`},
		{textcell.Hex(), "00FF6162", "AP9hYg==", `"AP9hYg=="`},
		{textcell.DayCount(), "19727", "2024-01-05", `"2024-01-05"`},
		{textcell.DayCount(), "-1", "1969-12-31", `"1969-12-31"`},
	} {
		column, json, err := both(tt.typ, tt.text)
		if err != nil || column != tt.column || json != tt.json {
			t.Errorf("%s %q: column %s, JSON %s, error %v; want %s and %s", tt.typ.Arrow, tt.text, column, json, err, tt.column, tt.json)
		}
	}
}

func TestParse_InvalidTextIsAnError(t *testing.T) {
	for _, tt := range []struct {
		typ  textcell.Type
		text string
		want error
	}{
		{textcell.Bool(), "1", textcell.ErrFormat},
		{textcell.Int[int8](), "128", textcell.ErrRange},
		{textcell.Int[int64](), "1.5", textcell.ErrFormat},
		{textcell.Int[int64](), "", textcell.ErrFormat},
		{textcell.Float64(), "1e400", textcell.ErrRange},
		{textcell.Decimal(10, 2), "0.125", textcell.ErrRange},
		{textcell.Decimal(4, 2), "100", textcell.ErrRange},
		{textcell.Decimal(4, 2), "1e99", textcell.ErrRange},
		{textcell.Decimal(4, 2), "-", textcell.ErrFormat},
		{textcell.Decimal(4, 2), "1e", textcell.ErrFormat},
		{textcell.Decimal(4, 2), "NaN", textcell.ErrFormat},
		{textcell.Date(), "2024-02-30", textcell.ErrFormat},
		{textcell.Date(), "2024-1-5", textcell.ErrFormat},
		{textcell.Date(), "2024-01-05 ", textcell.ErrFormat},
		{textcell.Timestamp(micro, textcell.ReadMoment), "2024-01-05", textcell.ErrFormat},
		{textcell.Timestamp(micro, textcell.ReadMoment), "2024-01-05 10:00:00Z", textcell.ErrFormat},
		{textcell.Timestamp(micro, textcell.ReadMoment), "2024-01-05 10:00:00.0000001", textcell.ErrRange},
		{textcell.Timestamp(nano, textcell.ReadMoment), "2263-01-01 00:00:00", textcell.ErrRange},
		{textcell.Timestamp(micro, textcell.ReadMoment), "2024-01-05 25:00:00", textcell.ErrFormat},
		{textcell.Clock(), "10:00", textcell.ErrFormat},
		{textcell.TimeOfDay(&arrow.Time64Type{Unit: arrow.Microsecond}, textcell.ReadClock), "10:00:00+01:00", textcell.ErrFormat},
		{textcell.Interval(textcell.ReadMonths), "14", textcell.ErrFormat},
		{textcell.Interval(textcell.ReadDays), "3", textcell.ErrFormat},
		{textcell.Interval(textcell.ReadSpan), "1-2 3", textcell.ErrFormat},
		{textcell.Base64(), "!", textcell.ErrFormat},
		{textcell.Hex(), "0", textcell.ErrFormat},
		{textcell.DayCount(), "9999999999", textcell.ErrRange},
	} {
		if _, _, err := both(tt.typ, tt.text); !errors.Is(err, tt.want) {
			t.Errorf("%s %q: %v, want %v", tt.typ.Arrow, tt.text, err, tt.want)
		}
	}
}

// A decimal that is read is the number that the text says: multiplied out, both
// have the same digits.
func FuzzDecimal_ExactOrError(f *testing.F) {
	for _, s := range []string{"0", "-12.5", "1e3", "1.25E-2", ".5", "5.", "--1", "1e99999"} {
		f.Add(s)
	}
	typ := textcell.Decimal(38, 6)
	f.Fuzz(func(t *testing.T, text string) {
		_, json, err := both(typ, text)
		if err != nil {
			return
		}
		if _, again, err := both(typ, json); err != nil || again != json {
			t.Fatalf("%q reads as %s, which reads as %s, %v", text, json, again, err)
		}
	})
}

func FuzzTimestamp_RoundTrips(f *testing.F) {
	for _, s := range []string{"2024-01-05 10:00:00", "-0001-12-31T23:59:59.123456", "10000-01-01 24:00:00"} {
		f.Add(s)
	}
	typ := textcell.Timestamp(micro, textcell.ReadMoment)
	f.Fuzz(func(t *testing.T, text string) {
		_, json, err := both(typ, text)
		if err != nil {
			return
		}
		if _, again, err := both(typ, json[1:len(json)-1]); err != nil || again != json {
			t.Fatalf("%q reads as %s, which reads as %s, %v", text, json, again, err)
		}
	})
}
