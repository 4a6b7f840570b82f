package duckdb

import (
	"strings"
	"testing"
)

func TestLongConstantBytes_AreThoseOfEachRow(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, test := range []struct {
		name, sql string
		want      int
	}{
		{"a short one does not count", "SELECT 'it''s' FROM t", 0},
		{"a long one", "SELECT '" + long + "' FROM t", 409_600},
		{"each use", "SELECT '" + long + "', '" + long + "' FROM t", 819_200},
		{"a name is none", `SELECT "` + long + `", 'x' FROM t`, 0},
		{"a quote within a name", `SELECT "it's", '` + long + `' FROM t`, 409_600},
		{"no end", "SELECT '" + long, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := longConstantBytesInFlight(test.sql); got != test.want {
				t.Fatalf("%d bytes, want %d", got, test.want)
			}
		})
	}
}
