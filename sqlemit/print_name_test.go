package sqlemit_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/sqlemit"
)

func TestNames_LongOnesEndInHash(t *testing.T) {
	const quotes = 2
	long := strings.Repeat("é", 200) // 400 bytes
	for name, limit := range map[string]int{"postgres": 63, "redshift": 127, "mysql": 255, "mariadb": 255, "tidb": 255, "duckdb": 400} {
		d, _ := sqlemit.LookupDialect(name)
		seen := map[string]bool{}
		for _, column := range []string{long, long + "a", long + "b"} {
			got, err := expression(parse(t, `"`+column+`"`), d)
			if err != nil {
				t.Fatal(err)
			}
			if seen[got] || !strings.Contains(got, "éé") || strings.ContainsRune(got, '\uFFFD') {
				t.Errorf("%s: %s", name, got)
			}
			if name != "duckdb" && len(got) > limit+quotes {
				t.Errorf("%s keeps %d bytes, the name has %d", name, limit, len(got)-quotes)
			}
			seen[got] = true
		}
		if got, _ := expression(parse(t, `"short"`), d); len(got) != len("short")+quotes {
			t.Errorf("%s: %s", name, got)
		}
	}
}
