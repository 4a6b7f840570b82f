package datacheck

import (
	"context"
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// checkRelationships compares the relationships with the rows of both sides.
func (c *dataChecker) checkRelationships(ctx context.Context, u unreadableObjects, scans map[*catalog.Dataset]*datasetScanResult) error {
	for _, r := range c.Catalog.Relationships {
		if r.Err != nil || len(r.FromFields) == 0 || !u.canReadFields(slices.Concat(r.FromFields, r.ToFields)) {
			continue
		}
		rejected, err := c.reportRejectedJoin(ctx, r)
		if err != nil {
			return err
		}
		if rejected {
			continue
		}
		if err := c.reportNonUniqueSides(ctx, r, scans); err != nil {
			return err
		}
		if err := c.checkOverlappingValidity(ctx, r, u, scans[r.To]); err != nil {
			return err
		}
		if !c.options.reportsAnyCode(CodeRelationshipUnmatched) {
			continue
		}
		if err := c.checkForeignKeyMatches(ctx, r, scans[r.To]); err != nil {
			return err
		}
	}
	return nil
}

// reportRejectedJoin reports a relationship whose columns the warehouse does not compare, and whether it is one. No row is read.
func (c *dataChecker) reportRejectedJoin(ctx context.Context, r *catalog.Relationship) (bool, error) {
	if !c.options.reportsAnyCode(CodeExpressionRejected) {
		return false, nil
	}
	pairs, err := c.planRelationshipKeyJoin(ctx, r)
	if err != nil {
		return false, err
	}
	_, err = c.warehouse.runPlan(ctx, &plan.Limit{Input: &plan.Project{Input: pairs.node, Cols: pairs.from}, N: 0})
	why := asStatementError(err)
	if why == nil || why.reason != failureRejected {
		return false, ignoreStatementError(err)
	}
	c.reportRejectedExpression(c.fromColumnsPlace(r),
		"the comparison of "+columnsDescription(r.FromFields)+" and "+columnsDescription(r.ToFields)+" in the relationship "+r.Name, why)
	return true, nil
}

// columnsUniqueByCardinality lists the columns whose values the declared cardinality of a relationship promises to be unique.
func (c *dataChecker) columnsUniqueByCardinality(r *catalog.Relationship) [][]*catalog.Field {
	doc := c.places.relationshipDeclaration(r)
	if doc == nil || r.Err != nil || len(r.FromFields) == 0 || r.Valid != nil {
		return nil // rows that are valid for a time share a key
	}
	switch doc.DeclaredCardinality(c.Basic) {
	case modelspec.ManyToOne:
		return [][]*catalog.Field{r.ToFields}
	case modelspec.OneToOne:
		return [][]*catalog.Field{r.ToFields, r.FromFields}
	}
	return nil
}

// reportNonUniqueSides reports the sides of a relationship that are not unique.
func (c *dataChecker) reportNonUniqueSides(ctx context.Context, r *catalog.Relationship, scans map[*catalog.Dataset]*datasetScanResult) error {
	for _, side := range c.columnsUniqueByCardinality(r) {
		d := side[0].Dataset
		s := scans[d]
		if s == nil {
			continue
		}
		k, ok := s.keyOccurrencesOf(side)
		if !ok || k.values == s.rows-k.nulls {
			continue
		}
		numbers, err := c.describeDuplicates(ctx, d, k, s)
		if err != nil {
			return err
		}
		c.addFinding(CodeCardinalityWrong, c.cardinalityPlace(r),
			fmt.Sprintf("the relationship %s declares %s, and %s is not unique: %s", r.Name, r.Cardinality, columnsDescription(side), numbers))
	}
	return nil
}

// cardinalityPlace returns the place of the key cardinality, or of the relationship whose payload declares it.
func (c *dataChecker) cardinalityPlace(r *catalog.Relationship) modelspec.Place {
	doc := c.places.relationshipDeclaration(r)
	if doc.Cardinality.Value == "" {
		return doc.Place
	}
	return modelspec.Place{Location: doc.MemberLocation("cardinality"), Position: doc.Cardinality.Position}
}

// fromColumnsPlace returns the place of the first of from_columns.
func (c *dataChecker) fromColumnsPlace(r *catalog.Relationship) modelspec.Place {
	doc := c.places.relationshipDeclaration(r)
	if doc == nil {
		return modelspec.Place{}
	}
	if len(doc.FromColumns) == 0 {
		return doc.Place
	}
	return modelspec.Place{Location: doc.MemberLocation("from_columns"), Position: doc.FromColumns[0].Position}
}

// checkForeignKeyMatches counts the values of from_columns that have no row on the other side. to is the scan of that side, nil
// if it was not scanned.
func (c *dataChecker) checkForeignKeyMatches(ctx context.Context, r *catalog.Relationship, to *datasetScanResult) error {
	at := c.fromColumnsPlace(r)
	unknown := []string{"each value of " + columnsDescription(r.FromFields) + " has a row in " + r.To.Name}
	if why := c.reasonRowsUnread(r.To, to); why != nil {
		c.reportIncompleteCheck(at, unknown, why)
		return nil
	}
	pairs, err := c.planRelationshipKeyJoin(ctx, r)
	if err != nil {
		return err
	}
	unmatched := newIsNullExpr(pairs.to)
	counts, err := c.warehouse.runCountingPlan(ctx, &plan.Aggregate{Input: pairs.node, Home: r.From.Name, Measures: nameCountColumns(
		countExpr(nil, false), sumExpr(pairs.occurrences), countWhereExpr(unmatched), sumWhereExpr(unmatched, pairs.occurrences),
	)})
	if why := asStatementError(err); why != nil {
		c.reportIncompleteCheck(at, unknown, why)
		return nil
	}
	if err != nil {
		return err
	}
	values, rows, missing, lost := counts[0], counts[1], counts[2], counts[3]
	if missing == 0 {
		return nil
	}
	example, err := c.warehouse.runPlan(ctx, firstSortedRowPlan(&plan.Project{
		Input: &plan.Filter{Input: pairs.node, Conds: []sqlexpr.Expr{unmatched}}, Cols: pairs.from,
	}, len(pairs.from)))
	if err := ignoreStatementError(err); err != nil {
		return err
	}
	text := fmt.Sprintf("%d of %s (%s) of %s have no row in %s, in %d of %s",
		missing, formatCountWithNoun(values, "value", "values"), formatPercentOf(missing, values), columnsDescription(r.FromFields), r.To.Name, lost, formatRowCount(rows))
	if len(example.rows) > 0 {
		text += ", for example " + formatValues(example.rows[0])
	}
	severity := modelspec.SeverityWarning
	if r.JoinType == catalog.JoinInner {
		severity = modelspec.SeverityError
		text += "; the inner join of " + r.Name + " drops these rows"
	}
	c.addFindingWithSeverity(severity, CodeRelationshipUnmatched, at, text)
	return nil
}

// reasonRowsUnread returns the reason why a check has not read all rows of a dataset, nil if it has. s is the scan of the dataset, nil if it was
// not scanned.
func (c *dataChecker) reasonRowsUnread(d *catalog.Dataset, s *datasetScanResult) *statementError {
	switch {
	case s == nil:
		return &statementError{words: "the rows of " + d.Name + " were not counted"}
	case s.capped:
		return &statementError{words: fmt.Sprintf("%s has more than the %s that a check may read", d.Name, formatRowCount(c.options.MaxRows))}
	}
	return nil
}

// relationshipKeyJoin is the values of from_columns beside those of to_columns.
type relationshipKeyJoin struct {
	node        plan.Node
	from        []plan.NamedExpr // the values
	occurrences sqlexpr.Expr     // the rows of a value
	to          sqlexpr.Expr     // null for a value without a row
}

func (c *dataChecker) planRelationshipKeyJoin(ctx context.Context, r *catalog.Relationship) (relationshipKeyJoin, error) {
	from, err := c.keyValueCountsPlan(ctx, r.From, r.FromFields, true)
	if err != nil {
		return relationshipKeyJoin{}, err
	}
	to, err := c.keyValueCountsPlan(ctx, r.To, r.ToFields, false)
	if err != nil {
		return relationshipKeyJoin{}, err
	}
	const left, right = "referring", "referred"
	m := relationshipKeyJoin{occurrences: quotedColumn(left, "occurrences"), to: quotedColumn(right, to.Keys[0].Name)}
	join := &plan.Join{
		Left:  &plan.Derived{Input: from, Alias: left, Why: "the values of from_columns"},
		Right: &plan.Derived{Input: to, Alias: right, Why: "the values of to_columns"},
		Kind:  plan.LeftJoin, Relationship: r.Name, Cardinality: modelspec.OneToOne.String(),
	}
	for i, k := range from.Keys {
		value := quotedColumn(left, k.Name)
		join.On = append(join.On, plan.JoinEquality{Left: value, Right: quotedColumn(right, to.Keys[i].Name)})
		m.from = append(m.from, plan.NamedExpr{Name: k.Name, Expr: value, Type: k.Type})
	}
	m.node = join
	return m, nil
}

func quotedColumn(table, name string) sqlexpr.Expr {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: table, Quoted: true}, {Text: name, Quoted: true}}}
}
