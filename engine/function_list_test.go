package engine_test

import (
	"slices"
	"testing"

	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/sqlemit"
)

// The warning of a model names the dialects that print no SQL for a function.
func TestFunctions_WarningsOfModelsNameTheDialectsWithoutThem(t *testing.T) {
	for fn := sqlexpr.FnSum; fn <= sqlexpr.FnIf; fn++ {
		if sqlexpr.InfoOfFunction(fn).Class != sqlexpr.ClassScalar {
			continue
		}
		var without []string
		for _, name := range sqlemit.DialectNames() {
			if d, _ := sqlemit.LookupDialect(name); !d.HasFunction(fn) {
				without = append(without, name)
			}
		}
		warned := compile.DialectsLackingFunction(fn)
		slices.Sort(without)
		slices.Sort(warned)
		if !slices.Equal(without, warned) {
			t.Errorf("%s: dialects without it are %v, and the warning names %v", sqlexpr.InfoOfFunction(fn).Name, without, warned)
		}
	}
}
