package datacheck

import (
	"strings"

	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// reportAmbiguousDays reports the fields over columns of data files whose days and months can change places.
func (c *dataChecker) reportAmbiguousDays() {
	noter, ok := c.DB.(datafiles.ColumnNoter)
	if !ok {
		return
	}
	for _, n := range noter.ColumnNotes() {
		for _, d := range c.Catalog.Datasets {
			if !n.AmbiguousDays || !readsTable(d, n.Table) {
				continue
			}
			for _, f := range d.Fields {
				if expr := f.Expr.ForDialect(c.Dialect.Name()); f.LOD == nil && expr != nil && readsColumn(expr, n.Column) {
					c.addFinding(CodeAmbiguousDays, c.places.fieldPlace(f), n.Text)
				}
			}
		}
	}
}

// readsTable reports whether the source of a dataset is a table of data files, by its name.
func readsTable(d *catalog.Dataset, table string) bool {
	return len(d.Source.Table) > 0 && strings.EqualFold(d.Source.Table[len(d.Source.Table)-1].Text, table)
}

func readsColumn(e sqlexpr.Expr, column string) bool {
	for _, c := range sqlexpr.ColumnReferences(e) {
		if strings.EqualFold(c.Path[len(c.Path)-1].Text, column) {
			return true
		}
	}
	return false
}
