package compile_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/compile"
)

// A model without some names is rejected. The other errors are reported, and no
// candidate is an object without a name.
func TestCandidates_HaveNames(t *testing.T) {
	for _, metric := range []string{"SUM(d.x)", "SUM(x)", "SUM(nosuch.x)"} {
		doc := load(t, expand("datasets:\n  - name: d\n    source: d\n    fields:\n      ~ '': a\n      ~ b: b\n"+
			"  - name: ''\n    source: e\n    fields:\n      ~ c: c\nmetrics:\n  ~ m: "+metric+"\n"))
		cat := catalogOf(t, doc, compile.Options{})
		if len(cat.Errors) == 0 {
			t.Fatalf("%s compiles", metric)
		}
		for _, e := range cat.Errors {
			for _, c := range e.Candidates {
				if c == "" || strings.HasPrefix(c, ".") || strings.HasSuffix(c, ".") || strings.Contains(c, `"`) {
					t.Errorf("%s: %q among %q", metric, c, e.Candidates)
				}
			}
		}
	}
}
