package datacheck

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// keyOccurrences is how often the values of some fields occur.
type keyOccurrences struct {
	fields []*catalog.Field
	// nullsKnown reports that nulls is counted, and known that values is counted too.
	nullsKnown, known bool
	// nulls are the rows in which a field is null; they have no value.
	nulls, values int64
}

// keysToCountByDataset lists the sets of fields whose values are counted: the declared keys, and the columns of
// relationships that declare a cardinality. Each set is listed once.
func (c *dataChecker) keysToCountByDataset(u unreadableObjects) map[*catalog.Dataset][][]*catalog.Field {
	out := map[*catalog.Dataset][][]*catalog.Field{}
	add := func(fields []*catalog.Field) {
		if len(fields) == 0 || !u.canReadFields(fields) {
			return
		}
		d := fields[0].Dataset
		if !slices.ContainsFunc(out[d], func(k []*catalog.Field) bool { return isSameFieldSet(k, fields) }) {
			out[d] = append(out[d], fields)
		}
	}
	if c.options.reportsAnyCode(CodeKeyNotUnique, CodeKeyHasNull) {
		for _, d := range c.Catalog.Datasets {
			for _, k := range c.declaredKeys(d) {
				add(k.fields)
			}
		}
	}
	if c.options.reportsAnyCode(CodeCardinalityWrong) {
		for _, r := range c.Catalog.Relationships {
			for _, side := range c.columnsUniqueByCardinality(r) {
				add(side)
			}
		}
	}
	return out
}

// declaredKey is a key of a dataset; unique is its index among the unique keys, -1 for the primary key.
type declaredKey struct {
	unique int
	fields []*catalog.Field
}

// declaredKeys lists the keys of a dataset that do not have a level of detail.
func (c *dataChecker) declaredKeys(d *catalog.Dataset) []declaredKey {
	var out []declaredKey
	for i, columns := range append([][]string{d.PrimaryKey}, d.UniqueKeys...) {
		var fields []*catalog.Field
		for _, name := range columns {
			if f := c.fieldOfKeyColumn(d, name); f.LOD == nil {
				fields = append(fields, f)
			}
		}
		if len(fields) == len(columns) && len(fields) > 0 {
			out = append(out, declaredKey{i - 1, fields})
		}
	}
	return out
}

// fieldOfKeyColumn returns the field that a column of a key names: by its own name, by its column, or else one for the column
// itself.
func (c *dataChecker) fieldOfKeyColumn(d *catalog.Dataset, name string) *catalog.Field {
	if f := d.Field(name); f != nil {
		return f
	}
	for _, list := range [][]*catalog.Field{d.Fields, c.columns[d]} {
		if at := slices.IndexFunc(list, func(f *catalog.Field) bool { return f.MatchesColumnName(name) }); at >= 0 {
			return list[at]
		}
	}
	text := strings.Trim(name, `"`)
	f := &catalog.Field{Dataset: d, Name: text}
	f.Expr.Default = &sqlexpr.Column{Path: []sqlexpr.Name{{Text: text}}}
	c.columns[d] = append(c.columns[d], f)
	return f
}

func isSameFieldSet(a, b []*catalog.Field) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(f *catalog.Field) bool { return !slices.Contains(b, f) })
}

// newCountAggregateCheck counts the nulls of a key, and the values of a key of one column.
func (k *keyOccurrences) newCountAggregateCheck() countAggregateCheck {
	return countAggregateCheck{
		unknown: "the values of " + columnsDescription(k.fields) + " are unique",
		fields:  k.fields,
		counts: func(first int) []sqlexpr.Expr {
			if len(k.fields) == 1 {
				return []sqlexpr.Expr{countWhereExpr(newIsNullExpr(columnRef(first))), countExpr(columnRef(first), true)}
			}
			return []sqlexpr.Expr{countWhereExpr(orConditions(buildConditionForEachColumn(k.fields, first, newIsNullExpr)...))}
		},
		read: func(counts []int64) {
			k.nulls, k.nullsKnown, k.known = counts[0], true, len(k.fields) == 1
			if k.known {
				k.values = counts[1]
			}
		},
	}
}

// buildConditionForEachColumn applies a condition to the columns of fields.
func buildConditionForEachColumn(fields []*catalog.Field, first int, condition func(sqlexpr.Expr) sqlexpr.Expr) []sqlexpr.Expr {
	out := make([]sqlexpr.Expr, len(fields))
	for i := range fields {
		out[i] = condition(columnRef(first + i))
	}
	return out
}

// keyValueCountsPlan returns the plan of the values of a key with the number of their rows, which is the last column.
func (c *dataChecker) keyValueCountsPlan(ctx context.Context, d *catalog.Dataset, fields []*catalog.Field, bounded bool) (*plan.Aggregate, error) {
	read := c.rowsPlan
	if bounded {
		read = c.boundedRowsPlan
	}
	node, err := read(ctx, d, fields)
	if err != nil {
		return nil, err
	}
	keys := make([]plan.NamedExpr, len(fields))
	for i, f := range fields {
		keys[i] = plan.NamedExpr{Name: fmt.Sprintf("k%d", i), Expr: columnRef(i), Type: f.Type}
	}
	return &plan.Aggregate{
		Input:    &plan.Filter{Input: node, Conds: buildConditionForEachColumn(fields, 0, isNotNullExpr), Why: "where_sql"},
		Keys:     keys,
		Measures: []plan.NamedExpr{{Name: "occurrences", Expr: countExpr(nil, false), Type: sqlexpr.TypeInt}},
		Home:     d.Name,
	}, nil
}

// countCompositeKey counts the values of a key of several columns, which no aggregate counts by itself.
func (c *dataChecker) countCompositeKey(ctx context.Context, d *catalog.Dataset, k *keyOccurrences, rows int64) error {
	if k.known || !k.nullsKnown || rows < 0 {
		return nil
	}
	groups, err := c.keyValueCountsPlan(ctx, d, k.fields, true)
	if err != nil {
		return err
	}
	counts, err := c.warehouse.runCountingPlan(ctx, &plan.Aggregate{Input: groups, Measures: nameCountColumns(countExpr(nil, false)), Home: d.Name})
	if why := asStatementError(err); why != nil {
		c.reportIncompleteCheck(c.places.datasetPlace(d), []string{k.newCountAggregateCheck().unknown}, why)
		return nil
	}
	if err != nil {
		return err
	}
	k.known, k.values = true, counts[0]
	return nil
}

// keyOccurrencesOf returns how often the values of some fields occur; false if the scan did not count them.
func (s *datasetScanResult) keyOccurrencesOf(fields []*catalog.Field) (keyOccurrences, bool) {
	for _, k := range s.keys {
		if k.known && isSameFieldSet(k.fields, fields) {
			return k, true
		}
	}
	return keyOccurrences{}, false
}

// reportContradictedKeys reports the declared keys that the rows contradict.
func (c *dataChecker) reportContradictedKeys(ctx context.Context, d *catalog.Dataset, s *datasetScanResult) error {
	for _, declared := range c.declaredKeys(d) {
		k, ok := s.keyOccurrencesOf(declared.fields)
		if !ok {
			continue
		}
		at, name := c.places.keyPlace(d, declared.unique), "the key "+fieldNamesText(declared.fields)+" of "+d.Name
		if k.nulls > 0 {
			c.addFinding(CodeKeyHasNull, at, fmt.Sprintf("%s is null in %d of %s", name, k.nulls, formatRowCount(s.rows)))
		}
		if k.values == s.rows-k.nulls || !c.options.reportsAnyCode(CodeKeyNotUnique) {
			continue
		}
		numbers, err := c.describeDuplicates(ctx, d, k, s)
		if err != nil {
			return err
		}
		c.addFinding(CodeKeyNotUnique, at, name+" is not unique: "+numbers)
	}
	return nil
}

// describeDuplicates describes the duplicates of a key, with one value.
func (c *dataChecker) describeDuplicates(ctx context.Context, d *catalog.Dataset, k keyOccurrences, s *datasetScanResult) (string, error) {
	text := fmt.Sprintf("%s have %s", formatRowCount(s.rows-k.nulls), formatCountWithNoun(k.values, "value", "different values"))
	groups, err := c.keyValueCountsPlan(ctx, d, k.fields, true)
	if err != nil {
		return "", err
	}
	last := len(k.fields)
	several := &plan.Filter{Input: groups, Conds: []sqlexpr.Expr{&sqlexpr.Binary{Op: sqlexpr.OpGt, L: columnRef(last), R: newNumberLiteral(1)}}}
	a, err := c.warehouse.runPlan(ctx, firstSortedRowPlan(several, last))
	if err != nil || len(a.rows) == 0 {
		return text, ignoreStatementError(err)
	}
	row := a.rows[0]
	n, err := readCount(row[last])
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s; %s is in %s", text, formatValues(row[:last]), formatRowCount(n)), nil
}

// firstSortedRowPlan returns the first row of a node in the order of its first n columns.
func firstSortedRowPlan(node plan.Node, n int) plan.Node {
	sorted := &plan.Sort{Input: node}
	for i := range n {
		sorted.Keys = append(sorted.Keys, plan.SortKey{Col: i, NotNull: true})
	}
	return &plan.Limit{Input: sorted, N: 1}
}

// ignoreStatementError drops the error of a statement that only fetches an example.
func ignoreStatementError(err error) error {
	if asStatementError(err) == nil {
		return err
	}
	return nil
}
