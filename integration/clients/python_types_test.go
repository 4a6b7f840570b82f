package clients_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/planner/query"
)

// keysWithoutArgument are the keys of queries that no method of the Python client takes as an argument.
var keysWithoutArgument = map[string]bool{"dialect": true, "pretty": true}

// TestPythonTypes_QueriesHaveEveryBodyKey looks each key up in the types of the Python client.
func TestPythonTypes_QueriesHaveEveryBodyKey(t *testing.T) {
	text, err := os.ReadFile("../../clients/python/src/semlayer/types.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from, to  string
		keys      []query.KeyDescription
		arguments bool
	}{
		{"\n_MetricWords =", "\nDetailQuery =", query.MetricKeys(), false},
		{"\nDetailQuery =", "\nclass MetricKeys(", query.DetailKeys(), false},
		{"\nclass MetricKeys(", "\nclass DetailKeys(", query.MetricKeys(), true},
		{"\nclass DetailKeys(", "\n_AttributeWords =", query.DetailKeys(), true},
		{"\n_AttributeWords =", "\nclass _Model(", query.AttributeKeys(), false},
	} {
		_, section, begins := strings.Cut(string(text), c.from)
		section, _, ends := strings.Cut(section, c.to)
		if !begins || !ends {
			t.Fatalf("types.py has no part from %q to %q", c.from, c.to)
		}
		for _, k := range c.keys {
			if c.arguments && keysWithoutArgument[k.Name] {
				continue
			}
			if !regexp.MustCompile(`[\s{"]` + k.Name + `_?"?:`).MatchString(section) {
				t.Errorf("%q of types.py has no key %s", strings.TrimSpace(c.from), k.Name)
			}
		}
	}
}
