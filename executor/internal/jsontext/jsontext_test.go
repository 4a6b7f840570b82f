package jsontext_test

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

func TestFloat(t *testing.T) {
	tests := []struct {
		value float64
		bits  int
		want  string
	}{
		{75, 64, "75"},
		{-0.5, 64, "-0.5"},
		{0.1, 64, "0.1"},
		{0.1, 32, "0.1"},
		{1e20, 64, "100000000000000000000"},
		{1e21, 64, "1e+21"},
		{1e-7, 64, "1e-7"},
		{1.5e-10, 64, "1.5e-10"},
		{0, 64, "0"},
		{math.MaxFloat64, 64, "1.7976931348623157e+308"},
		{5e-324, 64, "5e-324"},
		{math.NaN(), 64, "null"},
		{math.Inf(1), 64, "null"},
		{math.Inf(-1), 32, "null"},
	}
	for _, tt := range tests {
		if got := string(jsontext.AppendFloat(nil, tt.value, tt.bits)); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.value, got, tt.want)
		}
	}
}

func words(n *big.Int, count int) []uint64 {
	m := new(big.Int).Set(n)
	if m.Sign() < 0 {
		m.Add(m, new(big.Int).Lsh(big.NewInt(1), uint(64*count)))
	}
	out := make([]uint64, count)
	mask := new(big.Int).SetUint64(math.MaxUint64)
	for i := range out {
		out[i] = new(big.Int).And(m, mask).Uint64()
		m.Rsh(m, 64)
	}
	return out
}

func TestDecimal(t *testing.T) {
	tests := []struct {
		unscaled string
		words    int
		scale    int
		want     string
	}{
		{"0", 2, 0, "0"},
		{"0", 2, 2, "0.00"},
		{"0", 2, -2, "0"},
		{"1250", 2, 2, "12.50"},
		{"5", 2, 2, "0.05"},
		{"-5", 2, 2, "-0.05"},
		{"-5", 2, 0, "-5"},
		{"15", 2, -2, "1500"},
		{"18446744073709551616", 2, 0, "18446744073709551616"},
		{"100000000000000000000", 2, 1, "10000000000000000000.0"},
		{"170141183460469231731687303715884105727", 2, 0, "170141183460469231731687303715884105727"},
		{"-170141183460469231731687303715884105728", 2, 0, "-170141183460469231731687303715884105728"},
		{"340282366920938463463374607431768211455", 4, 0, "340282366920938463463374607431768211455"},
		{"9999999999999999999999999999999999999999999999999999999999999999999999999999", 4, 38, "99999999999999999999999999999999999999.99999999999999999999999999999999999999"},
		{"1", 4, 76, "0." + strings.Repeat("0", 75) + "1"},
	}
	for _, tt := range tests {
		n, ok := new(big.Int).SetString(tt.unscaled, 10)
		if !ok {
			t.Fatalf("bad test value %q", tt.unscaled)
		}
		if got := string(jsontext.AppendDecimal(nil, words(n, tt.words), tt.scale)); got != tt.want {
			t.Errorf("%s scale %d: got %s, want %s", tt.unscaled, tt.scale, got, tt.want)
		}
	}
}

func TestNumber_RejectsOtherText(t *testing.T) {
	tests := []struct{ text, want string }{
		{"0", "0"}, {"-0.50", "-0.50"}, {"12345678901234567890123.000", "12345678901234567890123.000"},
		{"", "null"}, {"-", "null"}, {"NaN", "null"}, {"Infinity", "null"}, {"1e5", "null"}, {".5", "null"},
		{"5.", "null"}, {"007", "null"}, {"1,2", "null"}, {"0x10", "null"}, {"1}", "null"},
	}
	for _, tt := range tests {
		if got := string(jsontext.AppendNumberOrNull(nil, tt.text)); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestDate(t *testing.T) {
	tests := []struct {
		days int64
		want string
	}{
		{0, "1970-01-01"},
		{-1, "1969-12-31"},
		{19727, "2024-01-05"},
		{19782, "2024-02-29"},
		{-719528, "0000-01-01"},
		{-719529, "-000001-12-31"},
		{2932896, "9999-12-31"},
		{2932897, "+010000-01-01"},
	}
	for _, tt := range tests {
		if got := string(jsontext.AppendDate(nil, tt.days)); got != tt.want {
			t.Errorf("%d: got %s, want %s", tt.days, got, tt.want)
		}
	}
}

func TestDate_MatchesStandardLibrary(t *testing.T) {
	for days := int64(-719528); days <= 2932896; days += 97 {
		want := time.Unix(days*86400, 0).UTC().Format(time.DateOnly)
		if got := string(jsontext.AppendDate(nil, days)); got != want {
			t.Fatalf("%d: got %s, want %s", days, got, want)
		}
	}
}

func TestTimestamp(t *testing.T) {
	tests := []struct {
		value, perSecond int64
		utc              bool
		want             string
	}{
		{1704448800, 1, false, "2024-01-05T10:00:00"},
		{1704448800_000000, 1_000_000, true, "2024-01-05T10:00:00Z"},
		{1704448800_500000, 1_000_000, true, "2024-01-05T10:00:00.5Z"},
		{1704448800_000000001, 1_000_000_000, false, "2024-01-05T10:00:00.000000001"},
		{-1, 1000, false, "1969-12-31T23:59:59.999"},
		{math.MinInt64, 1_000_000_000, false, "1677-09-21T00:12:43.145224192"},
	}
	for _, tt := range tests {
		if got := string(jsontext.AppendTimestamp(nil, tt.value, tt.perSecond, tt.utc)); got != tt.want {
			t.Errorf("%d: got %s, want %s", tt.value, got, tt.want)
		}
	}
}

func TestTime_WithOffset(t *testing.T) {
	if got := string(jsontext.AppendTime(nil, 86399_999999, 1_000_000)); got != "23:59:59.999999" {
		t.Error(got)
	}
	if got := string(jsontext.AppendTime(nil, 86400_000000, 1_000_000)); got != "24:00:00" {
		t.Error(got)
	}
	for seconds, want := range map[int64]string{0: "+00:00", 19800: "+05:30", -3600: "-01:00", 3661: "+01:01:01"} {
		if got := string(jsontext.AppendUTCOffset(nil, seconds)); got != want {
			t.Errorf("%d: got %s, want %s", seconds, got, want)
		}
	}
}

func TestInterval(t *testing.T) {
	tests := []struct {
		months, days, nanos int64
		want                string
	}{
		{0, 0, 0, "PT0S"},
		{14, 3, 0, "P1Y2M3D"},
		{-14, 0, 0, "P-1Y-2M"},
		{0, -1, 500_000_000, "P-1DT0.5S"},
		{0, 0, -1_500_000_000, "PT-1.5S"},
		{0, 0, 3_661_000_000_000, "PT1H1M1S"},
		{0, 0, -500_000_000, "PT-0.5S"},
		{1, 1, 3_600_000_000_000, "P1M1DT1H"},
	}
	for _, tt := range tests {
		if got := string(jsontext.AppendInterval(nil, tt.months, tt.days, tt.nanos, 1_000_000_000)); got != tt.want {
			t.Errorf("%+v: got %s", tt, got)
		}
	}
}

func TestString_EscapesOnlyWhatJSONRequires(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", `""`},
		{"plain", `"plain"`},
		{"a\"b\\c", `"a\"b\\c"`},
		{"\n\r\t\b\f\x00\x1f\x7f", `"\n\r\t\b\f\u0000\u001f` + "\x7f" + `"`},
		{"<a&b>", `"<a&b>"`},
		{"żółw 亀 🐢", `"żółw 亀 🐢"`},
		{"a\xffb\xc3", `"a\ufffdb\ufffd"`},
		{"\xed\xa0\x80", `"\ufffd\ufffd\ufffd"`},
		{"\ufffd", "\"\ufffd\""},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, string(jsontext.AppendString(nil, tt.text))); diff != "" {
			t.Errorf("%q: %s", tt.text, diff)
		}
		if diff := cmp.Diff(tt.want, string(jsontext.AppendString(nil, []byte(tt.text)))); diff != "" {
			t.Errorf("%q as bytes: %s", tt.text, diff)
		}
	}
}

func FuzzString_MatchesEncodingJSON(f *testing.F) {
	for _, s := range []string{"", "a\"\\\n", "\xff\xfe", "亀\u2028", "\x00\x7f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got, want string
		if err := json.Unmarshal(jsontext.AppendString(nil, s), &got); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		standard, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(standard, &want); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func TestAppend_DoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 256)
	unscaled := []uint64{1, 2, 3, 4}
	got := testing.AllocsPerRun(100, func() {
		d := jsontext.AppendString(dst, "żółw\xff亀")
		d = jsontext.AppendDecimal(d, unscaled, 10)
		d = jsontext.AppendTimestamp(d, 1704448800_500000, 1_000_000, true)
		d = jsontext.AppendInterval(d, 14, 3, 5, 1_000_000)
		_ = jsontext.AppendFloat(d, 0.1, 64)
	})
	if got != 0 {
		t.Fatalf("%v allocations, want none", got)
	}
}

// encoding/json writes the shortest text too, by another way.
func TestFloat_MatchesStandardLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	check := func(f float64) {
		t.Helper()
		want, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(jsontext.AppendFloat(nil, f, 64)); got != string(want) {
			t.Fatalf("%b: got %s, want %s", f, got, want)
		}
	}
	for range 200_000 {
		amount := float64(random.Int64N(2e15)-1e15) / math.Pow10(random.IntN(6))
		for _, f := range []float64{amount, math.Nextafter(amount, 0), amount * 3, float64(random.Int64()), random.NormFloat64(), float64(random.IntN(10000)) / 3} {
			check(f)
		}
		if f := math.Float64frombits(random.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
			check(f)
		}
	}
	for _, f := range []float64{math.Copysign(0, -1), 1e15, -1e15, 999999999999999, 99999999999999.9, 0.0001, 0.00015, 1 << 53, 1<<53 + 2, 4.35, 0.07, 1.005, 2.675} {
		check(f)
	}
}

func TestDecimal_OneWordEqualsBigInt(t *testing.T) {
	t.Run("the fast path for decimals of one word agrees with big integers", func(t *testing.T) {
		random := rand.New(rand.NewPCG(3, 5))
		for range 100_000 {
			v := random.Int64() >> random.IntN(64)
			if random.IntN(2) == 0 {
				v = -v
			}
			scale := random.IntN(25)
			n := big.NewInt(v)
			text := new(big.Int).Abs(n).String()
			if len(text) <= scale {
				text = strings.Repeat("0", scale+1-len(text)) + text
			}
			if scale > 0 {
				text = text[:len(text)-scale] + "." + text[len(text)-scale:]
			}
			if n.Sign() < 0 {
				text = "-" + text
			}
			for _, count := range []int{1, 2, 4} {
				if got := string(jsontext.AppendDecimal(nil, words(n, count), scale)); got != text {
					t.Fatalf("%d in %d words, scale %d: got %s, want %s", v, count, scale, got, text)
				}
			}
		}
	})
}
