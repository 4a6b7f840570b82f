package snowflake

import (
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// joinedElement is an element whose expression names elements or columns of another table, of which each row has
// one row.
type joinedElement struct {
	table   *logicalTable
	element *tableElement
	expr    sqlexpr.Expr
}

// addJoinedElements adds the elements that name other tables. One that names another waits for it.
func (v *semanticViewImport) addJoinedElements() {
	waiting := v.joinedElements
	for len(waiting) > 0 {
		var rest []joinedElement
		for _, j := range waiting {
			if v.namesWaitingElement(j, waiting) {
				rest = append(rest, j)
				continue
			}
			v.addJoinedElement(j)
		}
		if len(rest) == len(waiting) {
			for _, j := range rest {
				v.dropJoinedElement(j, errors.New("its expression names itself"))
			}
			return
		}
		waiting = rest
	}
}

// namesWaitingElement reports whether an element names another table's element that has no field yet.
func (v *semanticViewImport) namesWaitingElement(j joinedElement, waiting []joinedElement) bool {
	for _, column := range sqlexpr.ColumnReferences(j.expr) {
		t, name := v.tableOfColumn(&metric{table: j.table}, column)
		for _, other := range waiting {
			if other.table == t && t != j.table && strings.EqualFold(other.element.field.Name, name.Text) {
				return true
			}
		}
	}
	return false
}

func (v *semanticViewImport) addJoinedElement(j joinedElement) {
	var failed error
	out := sqlexpr.Rewrite(j.expr, func(x sqlexpr.Expr) sqlexpr.Expr {
		column, ok := x.(*sqlexpr.Column)
		if !ok || failed != nil {
			return nil
		}
		var path []string
		if path, failed = v.joinedPath(j.table, column); path == nil {
			return nil
		}
		return quotedPathExpr(path...)
	})
	if failed != nil {
		v.dropJoinedElement(j, failed)
		return
	}
	j.element.expr = sqlexpr.Format(out)
	v.addElementField(j.table, j.element)
}

// joinedPath returns the path of a column of another table, nil for one of the table itself.
func (v *semanticViewImport) joinedPath(from *logicalTable, column *sqlexpr.Column) ([]string, error) {
	t, name := v.tableOfColumn(&metric{table: from}, column)
	switch {
	case t == nil:
		return nil, fmt.Errorf("it names %s, and the table is not in the input", sqlexpr.Format(column))
	case t == from:
		return nil, nil
	case t.dropped[strings.ToLower(name.Text)]:
		return nil, fmt.Errorf("it names %s, which is dropped", name.Text)
	case v.isCrossTableAggregateFact(t, name.Text):
		return nil, fmt.Errorf("it names %s, which aggregates another table", name.Text)
	}
	path, err := importer.RelationshipPathTo(v.model, from.dataset.Name, t.dataset.Name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("it names %s, and %w", sqlexpr.Format(column), err)
	case path == nil:
		return nil, fmt.Errorf("it names %s, and no relationship leads from a row of %s to one of %s", sqlexpr.Format(column), from.name, t.name)
	}
	return append(path, t.ensureColumnField(name).Name), nil
}

func (v *semanticViewImport) isCrossTableAggregateFact(t *logicalTable, name string) bool {
	for _, f := range v.entityFacts {
		if f.table == t && strings.EqualFold(f.element.field.Name, name) {
			return true
		}
	}
	return false
}

func (v *semanticViewImport) dropJoinedElement(j joinedElement, reason error) {
	j.table.dropped[strings.ToLower(j.element.field.Name)] = true
	v.report.AddDropped(j.element.node, j.element.construct, j.table.name+"."+j.element.field.Name, reason.Error())
}
