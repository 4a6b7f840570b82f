package compile

import (
	"testing"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// A dialect without a row would be taken for one that has all functions.
func TestFunctionsLackingInDialect_HasARowForEachDialect(t *testing.T) {
	rows := 0
	for _, dialect := range sqlexpr.DialectNames() {
		if _, listed := functionsLackingInDialect[dialect]; listed {
			rows++
		} else if !modelspec.IsPortableDialect(dialect) {
			t.Errorf("no row says which functions %s lacks", dialect)
		}
	}
	if rows != len(functionsLackingInDialect) {
		t.Errorf("%d of %d rows are of a dialect", rows, len(functionsLackingInDialect))
	}
}
