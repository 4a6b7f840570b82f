package value

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgtype"
)

// values are texts of types, as PostgreSQL writes them.
var values = map[uint32][]string{
	BoolOID:        {"t", "f"},
	Int2OID:        {"0", "-32768", "32767"},
	Int4OID:        {"0", "-2147483648", "2147483647"},
	Int8OID:        {"0", "-9223372036854775808", "9223372036854775807"},
	OIDOID:         {"0", "4294967295"},
	Float8OID:      {"0.1", "-1.5", "1e+15", "123456789012345", "0.0001", "1e-05", "1e+20", "NaN", "Infinity", "-Infinity"},
	Float4OID:      {"0.1", "1e+06", "100000", "NaN"},
	NumericOID:     {"0", "0.00", "12.50", "-0.001", "10000", "100000000.00010000", "0.0000000001", "99999999999999999999999999999999999999", "NaN", "Infinity", "-Infinity"},
	TextOID:        {"", "é\n\"", "a"},
	DateOID:        {"2024-02-29", "1999-12-31", "0001-01-01", "0044-03-15 BC", "10000-01-01"},
	TimeOID:        {"00:00:00", "23:59:59.999999", "10:00:00.5", "24:00:00"},
	TimestampOID:   {"2024-02-29 10:00:00", "1969-12-31 23:59:59.999999", "2000-01-01 00:00:00.5", "0001-01-01 00:00:00"},
	TimestampTZOID: {"2024-02-29 10:00:00+00", "1969-12-31 23:59:59.999999+00"},
	UUIDOID:        {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"},
	ByteaOID:       {`\x00ff`, `\x`},
}

func TestValues_HaveTheBinaryFormOfPGX(t *testing.T) {
	types := pgtype.NewMap()
	for oid, texts := range values {
		for _, text := range texts {
			got, err := appendTextAsType(nil, oid, BinaryFormat, text)
			if err != nil {
				t.Errorf("%s %q: %v", typeName(oid), text, err)
				continue
			}
			if got == nil {
				got = []byte{} // as an empty value arrives; nil is NULL
			}
			back, err := ParameterValueToText(1, oid, BinaryFormat, got)
			special := text == "NaN" || text == "Infinity" || text == "-Infinity"
			if oid == Float4OID || oid == Float8OID {
				if (err != nil) != special {
					t.Errorf("%s %q as a parameter: %v", typeName(oid), text, err)
				}
			} else if oid == BoolOID {
				if back != map[string]string{"t": "true", "f": "false"}[text] {
					t.Errorf("boolean %q reads as %q", text, back)
				}
			} else if back != text || err != nil {
				t.Errorf("%s %q reads as %q: %v", typeName(oid), text, back, err)
			}
			pgxType, _ := types.TypeForOID(oid)
			decoded, err := pgxType.Codec.DecodeValue(types, oid, BinaryFormat, got)
			plain, textErr := pgxType.Codec.DecodeValue(types, oid, TextFormat, []byte(text))
			if err != nil || textErr != nil || text != "NaN" && text != "0044-03-15 BC" && text != "10000-01-01" && !cmp.Equal(plain, decoded, cmp.AllowUnexported(pgtype.Numeric{}), cmp.Comparer(sameNumeric)) {
				t.Errorf("%s %q is %v in text and %v in binary: %v %v", typeName(oid), text, plain, decoded, textErr, err)
			}
			same, err := appendTextAsType(nil, oid, TextFormat, text)
			if err != nil || string(same) != text {
				t.Errorf("%s %q is written %q: %v", typeName(oid), text, same, err)
			}
		}
	}
}

// sameNumeric compares numbers, whose exponents pgx reduces in one form only.
func sameNumeric(a, b pgtype.Numeric) bool {
	if a.NaN || b.NaN || a.InfinityModifier != 0 || b.InfinityModifier != 0 {
		return a.NaN == b.NaN && a.InfinityModifier == b.InfinityModifier
	}
	x, err := a.Float64Value()
	y, err2 := b.Float64Value()
	return err == nil && err2 == nil && x == y
}

func TestValues_MisfitsAreErrors(t *testing.T) {
	for oid, texts := range map[uint32][]string{
		BoolOID: {"maybe", ""}, Int4OID: {"2147483648", "1.5", "x", ""}, Int8OID: {"9223372036854775808", "1e30"}, Float8OID: {"x"}, NumericOID: {"x", "1e999999", "1..2", "--1"},
		DateOID: {"2024-02-30", "2024-13-01", "x", "0000-01-01", "2024-01-01 10:00:00"}, TimeOID: {"25:00:00"}, TimestampOID: {"2024-02-30 10:00:00", "2024-01-01 10"}, UUIDOID: nil,
	} {
		for _, text := range texts {
			if got, err := appendTextAsType(nil, oid, BinaryFormat, text); err == nil {
				t.Errorf("%s %q is %x", typeName(oid), text, got)
			}
		}
	}
	if got, err := appendTextAsType(nil, Int4OID, TextFormat, "12.00"); err != nil || string(got) != "12" {
		t.Errorf("a number without a fraction: %q %v", got, err)
	}
}

func TestDecimal_OfWholeRange(t *testing.T) {
	for _, c := range []struct {
		high  int64
		low   uint64
		scale int
		want  string
	}{
		{0, 0, 0, "0"}, {0, 0, 2, "0.00"}, {0, 5, 2, "0.05"}, {-1, math.MaxUint64, 2, "-0.01"}, {0, 12345, 2, "123.45"},
		{5421010862427522170, 687399551400673279, 0, "99999999999999999999999999999999999999"},
		{5421010862427522170, 687399551400673279, 38, "0.99999999999999999999999999999999999999"},
		{1, 0, 0, "18446744073709551616"}, {math.MinInt64, 0, 0, "-170141183460469231731687303715884105728"},
		{0, 10_000_000_000_000_000_000, 0, "10000000000000000000"},
	} {
		if got := string(appendDecimal(nil, c.high, c.low, c.scale)); got != c.want {
			t.Errorf("%d %d: %s, want %s", c.high, c.low, got, c.want)
		}
	}
}

func TestArrays_HaveTheirQuotes(t *testing.T) {
	got, err := AppendAnyNonNull(nil, 1009, TextFormat, []any{"a", "b c", `q"\`, "", "null", nil})
	if err != nil || string(got) != `{a,"b c","q\"\\","","null",NULL}` {
		t.Errorf("%s %v", got, err)
	}
}

func FuzzParameterText(f *testing.F) {
	for oid, texts := range values {
		for _, text := range texts {
			if b, err := appendTextAsType(nil, oid, BinaryFormat, text); err == nil {
				f.Add(oid, true, b)
			}
			f.Add(oid, false, []byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, oid uint32, binary bool, b []byte) {
		format := TextFormat
		if binary {
			format = BinaryFormat
		}
		text, err := ParameterValueToText(1, oid, format, b)
		if err != nil || !binary || isTextType(oid) {
			return
		}
		if len(text) > 200_000 {
			t.Errorf("%d bytes are a text of %d", len(b), len(text))
		}
	})
}

func TestParameterValueToText_NamesTheParameterAndShowsItsValue(t *testing.T) {
	for _, test := range []struct {
		oid    uint32
		format int16
		value  string
		want   string
	}{
		{Int8OID, TextFormat, "x'y", `the value "x'y" of the parameter $3 is not of type bigint`},
		{Int8OID, TextFormat, strings.Repeat("7", 119) + "éé", `the value "` + strings.Repeat("7", 119) + `é…" of the parameter $3 is not of type bigint`},
		{1007, TextFormat, "{1,a}", `the value "{1,a}" of the parameter $3 is not of type integer`},
		{Int4OID, BinaryFormat, "abc", "the value of the parameter $3 is not the binary form of integer"},
		{TextOID, TextFormat, "a\xff", "the value of the parameter $3 is not UTF-8 without NUL"},
		{TextOID, TextFormat, "a\x00b", "the value of the parameter $3 is not UTF-8 without NUL"},
	} {
		_, err := ParameterValueToText(3, test.oid, test.format, []byte(test.value))
		if err == nil || err.Error() != test.want {
			t.Errorf("%q: %v, want %s", test.value, err, test.want)
		}
	}
}
