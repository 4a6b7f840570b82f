package mysql

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"github.com/semlayer/semlayer/executor"
)

func TestTypes_DecimalPrecision(t *testing.T) {
	t.Run("a decimal type has the precision and scale that the server declares", func(t *testing.T) {
		tests := []struct {
			precision, scale int64
			known            bool
			want             string
			kind             executor.TextKind
		}{
			{10, 2, true, "decimal(38, 2)", ""},
			{37, 0, true, "decimal(38, 0)", ""},
			{38, 0, true, "decimal256(76, 0)", ""},
			{65, 30, true, "decimal256(76, 30)", ""},
			{10, 31, true, "utf8", executor.TextKindDecimal},
			{0, 0, false, "utf8", executor.TextKindDecimal},
		}
		for _, tt := range tests {
			got := newDecimalDecoding(tt.precision, tt.scale, tt.known)
			if got.dt.String() != tt.want || got.kind != tt.kind {
				t.Errorf("(%d, %d): got %s of kind %q, want %s of kind %q", tt.precision, tt.scale, got.dt, got.kind, tt.want, tt.kind)
			}
		}
	})
}

func TestErrors_RemoveAccountNames(t *testing.T) {
	tests := []struct{ text, want string }{
		{"SELECT command denied to user 'limited'@'10.0.0.7' for table `db`.`t`", "SELECT command denied to user (account) for table `db`.`t`"},
		{"Access denied for user ''@'h.example' to database 'd'", "Access denied for user (account) to database 'd'"},
		{"user `a`@`%` lacks a grant", "user (account) lacks a grant"},
		{"Unknown column 'revenu' in 'field list'", "Unknown column 'revenu' in 'field list'"},
		{"near 'x @y' at line 1", "near 'x @y' at line 1"},
	}
	for _, tt := range tests {
		if got := redactAccounts(tt.text); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestOptions_DriverConfiguration(t *testing.T) {
	tests := []struct {
		name                      string
		options                   Options
		network, address, catalog string
	}{
		{"defaults", Options{}, "tcp", "localhost:3306", ""},
		{"host and port", Options{Host: "h", Port: 9030, Database: "d"}, "tcp", "h:9030", "d"},
		{"address of version 6", Options{Host: "::1"}, "tcp", "[::1]:3306", ""},
		{"socket", Options{Host: "/run/mysqld.sock"}, "unix", "/run/mysqld.sock", ""},
		{"catalog", Options{Host: "h", Catalog: "hive", Database: "d"}, "tcp", "h:3306", "hive.d"},
		{"URI", Options{URI: executor.NewSecret("mysql://u:p@h:4000/d?tls=true")}, "tcp", "h:4000", "d"},
		{"URI without port", Options{URI: executor.NewSecret("mysql://u@h/d"), Port: 1}, "tcp", "h:3306", "d"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := tt.options.driverConfig()
			if err != nil {
				t.Fatal(err)
			}
			if c.Net != tt.network || c.Addr != tt.address || c.DBName != tt.catalog {
				t.Errorf("got %s %s %s", c.Net, c.Addr, c.DBName)
			}
			if c.MultiStatements || c.InterpolateParams || c.AllowAllFiles || c.AllowCleartextPasswords {
				t.Error("the driver is allowed more than it needs")
			}
		})
	}
}

// FuzzDecimal holds the digits against exact arithmetic.
func FuzzDecimal(f *testing.F) {
	for _, s := range []string{"0", "-12.50", "99999999999999999999999999999999999999", "1.23456", "-", ".", "1.2.3", "0x1"} {
		f.Add(s, byte(4))
	}
	f.Fuzz(func(t *testing.T, s string, scale byte) {
		scale %= 30
		read := newDecimalReader(maxPrecision128, int(scale), decimal128.FromI64, decimal128.FromBigInt)
		got, ok, err := read([]byte(s))
		if err != nil || !ok {
			return
		}
		want, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatalf("%q is no number and was read as %v", s, got)
		}
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
		if new(big.Rat).SetFrac(got.BigInt(), unit).Cmp(want) != 0 {
			t.Fatalf("%q of scale %d was read as %v", s, scale, got.BigInt())
		}
	})
}

// FuzzTemporal holds dates and times against the standard library.
func FuzzTemporal(f *testing.F) {
	for _, s := range []string{"2024-01-05", "2024-02-30", "0000-00-00", "2024-01-05 10:00:00", "2024-01-05 10:00:00.5", "1969-12-31 23:59:59.999999", "2024-01-05 25:00:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, ok, err := readDate([]byte(s)); err == nil && ok {
			if want, err := time.Parse(time.DateOnly, s); err != nil || !v.ToTime().Equal(want) {
				t.Fatalf("%q was read as %v", s, v.ToTime())
			}
		}
		if v, ok, err := readTimestamp([]byte(s)); err == nil && ok {
			want, err := time.Parse("2006-01-02 15:04:05", strings.Replace(s, "T", " ", 1))
			if err != nil || !v.ToTime(arrow.Microsecond).Equal(want) {
				t.Fatalf("%q was read as %v", s, v.ToTime(arrow.Microsecond))
			}
		}
		trimFractionZeros([]byte(s))
		_, _, _ = readBits([]byte(s))
	})
}
