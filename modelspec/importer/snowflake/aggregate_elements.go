package snowflake

import (
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// elementAggregatingOtherTable is an element whose expression aggregates rows of another table: it has one value for each row of its
// own table.
type elementAggregatingOtherTable struct {
	table   *logicalTable
	element *tableElement
	expr    sqlexpr.Expr
}

// addCrossTableAggregates makes level-of-detail fields, by the primary keys of the tables.
func (v *semanticViewImport) addCrossTableAggregates() {
	for _, f := range v.entityFacts {
		e, name := f.element, f.table.name+"."+f.element.field.Name
		if err := v.addCrossTableAggregate(f); err != nil {
			f.table.dropped[strings.ToLower(e.field.Name)] = true
			v.report.AddDropped(e.node, e.construct, name, err.Error())
			continue
		}
		path := importer.FieldPath(f.table.dataset.Name, e.field.Name)
		switch {
		case e.private:
			e.entry = v.report.AddApproximated(e.node, e.construct, name, "a private element is a field that queries cannot group by; its name is visible", path)
		case hasCount(f.expr):
			e.entry = v.report.AddApproximated(e.node, e.construct, name, "a row without a match has the count 0", path)
		default:
			e.entry = v.report.AddExact(e.node, e.construct, name, path)
		}
	}
}

func (v *semanticViewImport) addCrossTableAggregate(f elementAggregatingOtherTable) error {
	t, e := f.table, f.element
	for _, column := range sqlexpr.ColumnReferences(f.expr) {
		if len(column.Path) == 1 || strings.EqualFold(column.Path[0].Text, t.name) {
			return errors.New("it aggregates its own table, and a fact is a value of each row")
		}
	}
	if len(t.dataset.PrimaryKey.Columns) == 0 {
		return fmt.Errorf("it is a value of each row of %s, which has no primary key", t.name)
	}
	out, err := v.replaceNamesByFieldsAndMetrics(&metric{construct: e.construct, table: t, name: e.field.Name, aggregatesOthers: true}, f.expr)
	if err != nil {
		return err
	}
	e.field.LOD = &draft.LODBlock{}
	for _, column := range t.dataset.PrimaryKey.Columns {
		e.field.LOD.Grain = append(e.field.LOD.Grain, t.fieldOfJoinColumn(column))
	}
	if e.private {
		e.field.IsDimension = new(false)
	}
	e.field.Expression = draft.ANSIExpression(sqlexpr.Format(out))
	t.addField(e.field)
	return nil
}

// hasCount reports whether an expression counts: over no rows it is 0, and not null.
func hasCount(e sqlexpr.Expr) bool {
	return sqlexpr.HasNode(e, func(c *sqlexpr.Call) bool {
		name := sqlexpr.InfoOfFunction(c.Fn).Name
		return strings.HasPrefix(name, "COUNT") || name == "APPROX_COUNT_DISTINCT"
	})
}

// removeElementsOverDropped removes the fields whose expressions name an element that is dropped, until none does.
func (v *semanticViewImport) removeElementsOverDropped() {
	for removed := true; removed; {
		removed = false
		for _, t := range v.tableList {
			for _, e := range t.elements {
				name := t.droppedElementInExpr(e)
				if name == "" {
					continue
				}
				removed = true
				t.removeField(e.field)
				e.entry.Outcome, e.entry.Reason, e.entry.Became = importer.OutcomeDropped, "it names "+name+", which is dropped", nil
			}
		}
	}
}

// droppedElementInExpr returns a dropped element that the expression of a field names, "" without one. An element whose
// expression is a column with its name names that column.
func (t *logicalTable) droppedElementInExpr(e *tableElement) string {
	if e.entry == nil || t.fields[strings.ToLower(e.field.Name)] != e.field {
		return ""
	}
	parsed, err := parse(e.expr)
	if err != nil {
		return ""
	}
	for _, column := range sqlexpr.ColumnReferences(parsed) {
		name := column.Path[0].Text
		if len(column.Path) == 1 && t.dropped[strings.ToLower(name)] && !strings.EqualFold(name, e.field.Name) {
			return name
		}
	}
	return ""
}

func (t *logicalTable) removeField(f *draft.Field) {
	key := strings.ToLower(f.Name)
	delete(t.fields, key)
	t.dropped[key] = true
	var kept []*draft.Field
	for _, other := range t.dataset.Fields {
		if other != f {
			kept = append(kept, other)
		}
	}
	t.dataset.Fields = kept
}
