package textdecode_test

import (
	"errors"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor/internal/textdecode"
)

var (
	micro = &arrow.TimestampType{Unit: arrow.Microsecond}
	nano  = &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "UTC"}
)

// both returns the value as Arrow prints it and as JSON shows it.
func both(typ textdecode.Decoder, text string) (column, json string, err error) {
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
		typ          textdecode.Decoder
		text         string
		column, json string
	}{
		{textdecode.BoolDecoder(), "true", "true", "true"},
		{textdecode.BoolDecoder(), "false", "false", "false"},
		{textdecode.IntDecoder[int8](), "-128", "-128", "-128"},
		{textdecode.IntDecoder[int64](), "9223372036854775807", "9223372036854775807", "9223372036854775807"},
		{textdecode.Float64Decoder(), "0.30000000000000004", "0.30000000000000004", "0.30000000000000004"},
		{textdecode.Float64Decoder(), "1.0E21", "1e+21", "1e+21"},
		{textdecode.Float64Decoder(), "NaN", "NaN", "null"},
		{textdecode.Float64Decoder(), "-Infinity", "-Inf", "null"},
		{textdecode.Float32Decoder(), "0.1", "0.1", "0.1"},
		{textdecode.DecimalDecoder(10, 2), "12.5", "12.5", "12.50"},
		{textdecode.DecimalDecoder(10, 2), "-0.05", "-0.05", "-0.05"},
		{textdecode.DecimalDecoder(10, 2), "1.250E1", "12.5", "12.50"},
		{textdecode.DecimalDecoder(10, 2), "5e-2", "0.05", "0.05"},
		{textdecode.DecimalDecoder(10, 0), "150.00", "150", "150"},
		{textdecode.DecimalDecoder(38, 0), "99999999999999999999999999999999999999", "99999999999999999999999999999999999999", "99999999999999999999999999999999999999"},
		{textdecode.DecimalDecoder(76, 38), "-1.5", "-1.5", "-1.50000000000000000000000000000000000000"},
		{textdecode.DecimalDecoder(77, 2), "1.5", "1.5", "1.5"},
		{textdecode.NumberAsPlainTextDecoder(), "NaN", "NaN", "null"},
		{textdecode.DateDecoder(), "2024-01-05", "2024-01-05", `"2024-01-05"`},
		{textdecode.DateDecoder(), "0001-01-01", "0001-01-01", `"0001-01-01"`},
		{textdecode.TimestampDecoder(micro, textdecode.ParseTimestamp), "2024-01-05 10:00:00", "2024-01-05T10:00:00", `"2024-01-05T10:00:00"`},
		{textdecode.TimestampDecoder(micro, textdecode.ParseTimestamp), "1969-12-31T23:59:59.999999", "1969-12-31T23:59:59.999999", `"1969-12-31T23:59:59.999999"`},
		{textdecode.TimestampDecoder(nano, textdecode.ParseTimestamp), "2024-01-05 10:00:00.000000001", "2024-01-05T10:00:00.000000001Z", `"2024-01-05T10:00:00.000000001Z"`},
		{textdecode.TimeOfDayToTextDecoder(), "10:00:00.500", "10:00:00.5", `"10:00:00.5"`},
		{textdecode.TimeOfDayDecoder(&arrow.Time64Type{Unit: arrow.Microsecond}, textdecode.ParseTimeOfDay), "23:59:59.999999", "23:59:59.999999", `"23:59:59.999999"`},
		{textdecode.TimeOfDayToTextDecoder(), "10:00:00.000+01:00", "10:00:00+01:00", `"10:00:00+01:00"`},
		{textdecode.IntervalDecoder(textdecode.ParseYearMonthInterval), "-1-2", `{"months":-14,"days":0,"nanoseconds":0}`, `"P-1Y-2M"`},
		{textdecode.IntervalDecoder(textdecode.ParseDayTimeInterval), "-2 03:04:05.321", `{"months":0,"days":-2,"nanoseconds":-11045321000000}`, `"P-2DT-3H-4M-5.321S"`},
		{textdecode.IntervalDecoder(textdecode.ParseInterval), "1-2 -3 4:5:6.7", `{"months":14,"days":-3,"nanoseconds":14706700000000}`, `"P1Y2M-3DT4H5M6.7S"`},
		{textdecode.TextDecoder(), `żółw "亀"`, `żółw "亀"`, `"żółw \"亀\""`},
		{textdecode.Base64Decoder(), "AP9hYg==", "AP9hYg==", `"AP9hYg=="`},
		{textdecode.HexDecoder(), "00FF6162", "AP9hYg==", `"AP9hYg=="`},
		{textdecode.EpochDaysDecoder(), "19727", "2024-01-05", `"2024-01-05"`},
		{textdecode.EpochDaysDecoder(), "-1", "1969-12-31", `"1969-12-31"`},
	} {
		column, json, err := both(tt.typ, tt.text)
		if err != nil || column != tt.column || json != tt.json {
			t.Errorf("%s %q: column %s, JSON %s, error %v; want %s and %s", tt.typ.Arrow, tt.text, column, json, err, tt.column, tt.json)
		}
	}
}

func TestParse_InvalidTextIsAnError(t *testing.T) {
	for _, tt := range []struct {
		typ  textdecode.Decoder
		text string
		want error
	}{
		{textdecode.BoolDecoder(), "1", textdecode.ErrFormat},
		{textdecode.IntDecoder[int8](), "128", textdecode.ErrRange},
		{textdecode.IntDecoder[int64](), "1.5", textdecode.ErrFormat},
		{textdecode.IntDecoder[int64](), "", textdecode.ErrFormat},
		{textdecode.Float64Decoder(), "1e400", textdecode.ErrRange},
		{textdecode.DecimalDecoder(10, 2), "0.125", textdecode.ErrRange},
		{textdecode.DecimalDecoder(4, 2), "100", textdecode.ErrRange},
		{textdecode.DecimalDecoder(4, 2), "1e99", textdecode.ErrRange},
		{textdecode.DecimalDecoder(4, 2), "-", textdecode.ErrFormat},
		{textdecode.DecimalDecoder(4, 2), "1e", textdecode.ErrFormat},
		{textdecode.DecimalDecoder(4, 2), "NaN", textdecode.ErrFormat},
		{textdecode.DateDecoder(), "2024-02-30", textdecode.ErrFormat},
		{textdecode.DateDecoder(), "2024-1-5", textdecode.ErrFormat},
		{textdecode.DateDecoder(), "2024-01-05 ", textdecode.ErrFormat},
		{textdecode.TimestampDecoder(micro, textdecode.ParseTimestamp), "2024-01-05", textdecode.ErrFormat},
		{textdecode.TimestampDecoder(micro, textdecode.ParseTimestamp), "2024-01-05 10:00:00Z", textdecode.ErrFormat},
		{textdecode.TimestampDecoder(micro, textdecode.ParseTimestamp), "2024-01-05 10:00:00.0000001", textdecode.ErrRange},
		{textdecode.TimestampDecoder(nano, textdecode.ParseTimestamp), "2263-01-01 00:00:00", textdecode.ErrRange},
		{textdecode.TimestampDecoder(micro, textdecode.ParseTimestamp), "2024-01-05 25:00:00", textdecode.ErrFormat},
		{textdecode.TimeOfDayToTextDecoder(), "10:00", textdecode.ErrFormat},
		{textdecode.TimeOfDayDecoder(&arrow.Time64Type{Unit: arrow.Microsecond}, textdecode.ParseTimeOfDay), "10:00:00+01:00", textdecode.ErrFormat},
		{textdecode.IntervalDecoder(textdecode.ParseYearMonthInterval), "14", textdecode.ErrFormat},
		{textdecode.IntervalDecoder(textdecode.ParseDayTimeInterval), "3", textdecode.ErrFormat},
		{textdecode.IntervalDecoder(textdecode.ParseInterval), "1-2 3", textdecode.ErrFormat},
		{textdecode.Base64Decoder(), "!", textdecode.ErrFormat},
		{textdecode.HexDecoder(), "0", textdecode.ErrFormat},
		{textdecode.EpochDaysDecoder(), "9999999999", textdecode.ErrRange},
	} {
		if _, _, err := both(tt.typ, tt.text); !errors.Is(err, tt.want) {
			t.Errorf("%s %q: %v, want %v", tt.typ.Arrow, tt.text, err, tt.want)
		}
	}
}

// A decimal that is read equals the number in the text: multiplied out, both have the same
// digits.
func FuzzDecimal_ExactOrError(f *testing.F) {
	for _, s := range []string{"0", "-12.5", "1e3", "1.25E-2", ".5", "5.", "--1", "1e99999"} {
		f.Add(s)
	}
	typ := textdecode.DecimalDecoder(38, 6)
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
	typ := textdecode.TimestampDecoder(micro, textdecode.ParseTimestamp)
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
