package datacheck

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/plan"
)

// maxFieldsPerStatement is how many fields one statement compiles.
const maxFieldsPerStatement = 200

// findUnreadableObjects learns which sources and fields the warehouse accepts, without reading a row.
func (c *dataChecker) findUnreadableObjects(ctx context.Context) (unreadableObjects, error) {
	u := unreadableObjects{map[*catalog.Dataset]bool{}, map[*catalog.Field]bool{}}
	var computed []*catalog.Field
	for _, d := range c.Catalog.Datasets {
		var stored []*catalog.Field
		if u.failed[d] = d.Sequence != nil; u.failed[d] {
			continue // its rows are those of other datasets, which are checked
		}
		for _, f := range d.Fields {
			switch {
			case f.ErrorForDialect(c.Dialect.Name()) != nil:
				u.broken[f] = true
			case f.ReadsJoinedTables(c.Dialect.Name()):
				computed = append(computed, f)
			default:
				stored = append(stored, f)
			}
		}
		c.declaredKeys(d)
		stored = append(stored, c.columns[d]...)
		if err := c.checkSourceAndFields(ctx, d, stored, u); err != nil {
			return u, err
		}
	}
	// A field with a level of detail reads fields of other datasets, which are judged by now.
	sources, err := newUpstreamGraph(ctx, c.Catalog)
	if err != nil {
		return u, err
	}
	for _, f := range computed {
		if !sources.canReadUpstream(lineageFieldID(f), u) || u.failed[f.Dataset] {
			u.broken[f] = true
			continue
		}
		if err := c.findRejectedFields(ctx, f.Dataset, nil, []*catalog.Field{f}, u); err != nil {
			return u, err
		}
	}
	return u, nil
}

// checkSourceAndFields judges the source of a dataset and its stored fields.
func (c *dataChecker) checkSourceAndFields(ctx context.Context, d *catalog.Dataset, fields []*catalog.Field, u unreadableObjects) error {
	rest := fields
	for len(rest) > 0 {
		part := rest[:min(maxFieldsPerStatement, len(rest))]
		found, err := c.compileFieldsOnWarehouse(ctx, d, part)
		if asStatementError(err) != nil {
			break
		}
		if err != nil {
			return err
		}
		c.compareDatatypes(part, found)
		rest = rest[len(part):]
	}
	if len(fields) > 0 && len(rest) == 0 {
		return nil
	}
	if ok, err := c.canReadSource(ctx, d); err != nil || !ok {
		u.failed[d] = err == nil
		return err
	}
	if len(rest) == 0 {
		return nil
	}
	names, err := c.warehouse.readSourceColumns(ctx, d.Source)
	if err != nil && asStatementError(err) == nil {
		return err
	}
	return c.findRejectedFields(ctx, d, names, rest, u)
}

// canReadSource reports whether the source of a dataset can be read.
func (c *dataChecker) canReadSource(ctx context.Context, d *catalog.Dataset) (bool, error) {
	rows, err := c.rowsPlan(ctx, d, nil)
	if err != nil {
		return false, err
	}
	_, err = c.warehouse.runPlan(ctx, &plan.Limit{Input: rows, N: 0})
	why := asStatementError(err)
	switch {
	case err == nil:
		return true, nil
	case why == nil:
		return false, err
	case why.reason == failureRejected:
		candidates, err := c.nearestTables(ctx, d.Source)
		if err != nil {
			return false, err
		}
		c.addFinding(CodeSourceNotFound, c.places.sourcePlace(d), "the source of "+d.Name+", "+quoteText(d.Source.Text())+", cannot be read: "+why.words, candidates...)
	default:
		c.reportIncompleteCheck(c.places.sourcePlace(d), []string{"the model fits the source of " + d.Name + ", " + quoteText(d.Source.Text())}, why)
	}
	return false, nil
}

// findRejectedFields finds the fields that the warehouse rejects, by halves. names are the columns of the
// source, nil where they are not known.
func (c *dataChecker) findRejectedFields(ctx context.Context, d *catalog.Dataset, names []string, fields []*catalog.Field, u unreadableObjects) error {
	found, err := c.compileFieldsOnWarehouse(ctx, d, fields)
	why := asStatementError(err)
	switch {
	case err == nil:
		c.compareDatatypes(fields, found)
		return nil
	case why == nil:
		return err
	case len(fields) > 1:
		half := len(fields) / 2
		if err := c.findRejectedFields(ctx, d, names, fields[:half], u); err != nil {
			return err
		}
		return c.findRejectedFields(ctx, d, names, fields[half:], u)
	}
	f := fields[0]
	u.broken[f] = true
	if why.reason == failureNotPlanned {
		return nil // a query of the field has the planner's error
	}
	if missing, ok := c.firstMissingColumn(f, names); ok {
		reader := f.QualifiedName()
		if c.standsForKeyColumnWithoutField(f) {
			reader = "a key of " + d.Name
		}
		c.addFinding(CodeColumnNotFound, c.places.fieldExpressionPlace(f),
			reader+" reads the column "+quoteText(missing)+", which the source of "+d.Name+" does not have", suggest.Nearest(missing, names, maxCandidates)...)
		return nil
	}
	c.reportRejectedExpression(c.places.fieldExpressionPlace(f), "the expression of "+f.QualifiedName(), why)
	return nil
}

// reportRejectedExpression reports an expression that the warehouse does not run.
func (c *dataChecker) reportRejectedExpression(at modelspec.Place, what string, why *statementError) {
	if why.reason == failureRejected {
		c.addFinding(CodeExpressionRejected, at, "the warehouse rejects "+what+": "+why.words)
		return
	}
	c.reportIncompleteCheck(at, []string{"the warehouse accepts " + what}, why)
}

// firstMissingColumn returns the first column of a field's expression that the source does not have. A
// name that differs in its case alone is missing too where the warehouse has rejected the field.
func (c *dataChecker) firstMissingColumn(f *catalog.Field, names []string) (string, bool) {
	if names == nil || f.LOD != nil {
		return "", false
	}
	missing := ""
	sqlexpr.Walk(f.Expr.ForDialect(c.Dialect.Name()), func(x sqlexpr.Expr) bool {
		if col, ok := x.(*sqlexpr.Column); ok && missing == "" {
			name := col.Path[len(col.Path)-1]
			known := slices.ContainsFunc(names, func(n string) bool {
				return n == name.Text || !name.Quoted && strings.EqualFold(n, name.Text)
			})
			if !known {
				missing = name.Text
			}
		}
		return missing == ""
	})
	return missing, missing != ""
}
