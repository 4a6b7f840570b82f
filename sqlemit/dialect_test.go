package sqlemit_test

import (
	"testing"

	"github.com/semlayer/semlayer/sqlemit"
)

func TestByCodePoint_GivesACastToTextACollationWithoutPadding(t *testing.T) {
	want := map[string]string{"mysql": "utf8mb4_0900_bin", "mariadb": "utf8mb4_nopad_bin", "tidb": "utf8mb4_0900_bin"}
	for _, name := range sqlemit.DialectNames() {
		plain, _ := sqlemit.LookupDialect(name)
		exact, ok := plain.WithCodePointCollation()
		if exact.Name() != name || ok != (want[name] != "") || !ok && exact != plain {
			t.Errorf("%s: %s, %v", name, exact.Name(), ok)
		}
		if plain.Capabilities().MergesTexts != ok {
			t.Errorf("%s: merges texts: %v", name, !ok)
		}
		if !ok {
			continue
		}
		for _, tt := range []struct{ expr, bare, collated string }{
			{"CAST(t.c AS VARCHAR)", "CAST(`t`.c AS CHAR)", "CAST(`t`.c AS CHAR CHARACTER SET utf8mb4) COLLATE " + want[name]},
			{"CAST(t.c AS VARCHAR(3))", "CAST(`t`.c AS CHAR(3))", "CAST(`t`.c AS CHAR(3) CHARACTER SET utf8mb4) COLLATE " + want[name]},
			{"CAST(t.c AS INTEGER)", "CAST(`t`.c AS SIGNED)", "CAST(`t`.c AS SIGNED)"},
		} {
			if got, err := expression(parse(t, tt.expr), plain); err != nil || got != tt.bare {
				t.Errorf("%s: got %s, %v, want %s", name, got, err, tt.bare)
			}
			if got, err := expression(parse(t, tt.expr), exact); err != nil || got != tt.collated {
				t.Errorf("%s by code point: got %s, %v, want %s", name, got, err, tt.collated)
			}
		}
	}
}
