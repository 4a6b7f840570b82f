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
func (c *checker) checkRelationships(ctx context.Context, u usable, scans map[*catalog.Dataset]*scan) error {
	for _, r := range c.Catalog.Relationships {
		if r.Err != nil || len(r.FromFields) == 0 || !u.reads(slices.Concat(r.FromFields, r.ToFields)) {
			continue
		}
		if err := c.reportCardinality(ctx, r, scans); err != nil {
			return err
		}
		if !c.options.seeks(CodeRelationshipUnmatched) {
			continue
		}
		if err := c.checkMatches(ctx, r, scans[r.To]); err != nil {
			return err
		}
	}
	return nil
}

// uniqueSides lists the columns whose values the declared cardinality of a relationship promises to be unique.
func (c *checker) uniqueSides(r *catalog.Relationship) [][]*catalog.Field {
	doc := c.places.relationship(r)
	if doc == nil || r.Err != nil || len(r.FromFields) == 0 {
		return nil
	}
	switch doc.DeclaredCardinality(c.Basic) {
	case "many_to_one":
		return [][]*catalog.Field{r.ToFields}
	case "one_to_one":
		return [][]*catalog.Field{r.ToFields, r.FromFields}
	}
	return nil
}

// reportCardinality reports the sides of a relationship that are not unique.
func (c *checker) reportCardinality(ctx context.Context, r *catalog.Relationship, scans map[*catalog.Dataset]*scan) error {
	for _, side := range c.uniqueSides(r) {
		d := side[0].Dataset
		s := scans[d]
		if s == nil {
			continue
		}
		k, ok := s.count(side)
		if !ok || k.values == s.rows-k.nulls {
			continue
		}
		numbers, err := c.duplicates(ctx, d, k, s)
		if err != nil {
			return err
		}
		c.find(CodeCardinalityWrong, c.cardinalityPlace(r),
			fmt.Sprintf("the relationship %s declares %s, and %s is not unique: %s", r.Name, r.Cardinality, valuesOf(side), numbers))
	}
	return nil
}

// cardinalityPlace is the place of the key cardinality, or of the relationship whose payload declares it.
func (c *checker) cardinalityPlace(r *catalog.Relationship) modelspec.Place {
	doc := c.places.relationship(r)
	if doc.Cardinality.Value == "" {
		return doc.Place
	}
	return modelspec.Place{Location: doc.At("cardinality"), Position: doc.Cardinality.Position}
}

// fromColumnsPlace is the place of the first of from_columns.
func (c *checker) fromColumnsPlace(r *catalog.Relationship) modelspec.Place {
	doc := c.places.relationship(r)
	if doc == nil {
		return modelspec.Place{}
	}
	if len(doc.FromColumns) == 0 {
		return doc.Place
	}
	return modelspec.Place{Location: doc.At("from_columns"), Position: doc.FromColumns[0].Position}
}

// checkMatches counts the values of from_columns that have no row on the other side. to is the scan of that side, nil
// if it was not scanned.
func (c *checker) checkMatches(ctx context.Context, r *catalog.Relationship, to *scan) error {
	at := c.fromColumnsPlace(r)
	unknown := []string{"each value of " + valuesOf(r.FromFields) + " has a row in " + r.To.Name}
	if to == nil {
		c.incomplete(at, unknown, &statementError{words: "the rows of " + r.To.Name + " were not counted"})
		return nil
	}
	if to.capped {
		c.incomplete(at, unknown, &statementError{words: fmt.Sprintf("%s has more than the %s that a check may read", r.To.Name, rowsText(c.options.MaxRows))})
		return nil
	}
	pairs, err := c.matchedValues(ctx, r)
	if err != nil {
		return err
	}
	unmatched := isNull(pairs.to)
	counts, err := c.warehouse.counts(ctx, &plan.Aggregate{Input: pairs.node, Home: r.From.Name, Measures: measures(
		countOf(nil, false), sumOf(pairs.occurrences), countWhere(unmatched), sumWhere(unmatched, pairs.occurrences),
	)})
	if why := asStatementError(err); why != nil {
		c.incomplete(at, unknown, why)
		return nil
	}
	if err != nil {
		return err
	}
	values, rows, missing, lost := counts[0], counts[1], counts[2], counts[3]
	if missing == 0 {
		return nil
	}
	example, err := c.warehouse.query(ctx, firstRow(&plan.Project{
		Input: &plan.Filter{Input: pairs.node, Conds: []sqlexpr.Expr{unmatched}}, Cols: pairs.from,
	}, len(pairs.from)))
	if err := unlessStatementError(err); err != nil {
		return err
	}
	text := fmt.Sprintf("%d of %s (%s) of %s have no row in %s, in %d of %s",
		missing, countText(values, "value", "values"), shareText(missing, values), valuesOf(r.FromFields), r.To.Name, lost, rowsText(rows))
	if len(example.rows) > 0 {
		text += ", for example " + valueText(example.rows[0])
	}
	severity := modelspec.SeverityWarning
	if r.JoinType == catalog.JoinInner {
		severity = modelspec.SeverityError
		text += "; the inner join of " + r.Name + " drops these rows"
	}
	c.findAs(severity, CodeRelationshipUnmatched, at, text)
	return nil
}

// matches is the values of from_columns beside those of to_columns.
type matches struct {
	node        plan.Node
	from        []plan.NamedExpr // the values
	occurrences sqlexpr.Expr     // the rows of a value
	to          sqlexpr.Expr     // null for a value without a row
}

func (c *checker) matchedValues(ctx context.Context, r *catalog.Relationship) (matches, error) {
	from, err := c.groups(ctx, r.From, r.FromFields, true)
	if err != nil {
		return matches{}, err
	}
	to, err := c.groups(ctx, r.To, r.ToFields, false)
	if err != nil {
		return matches{}, err
	}
	const left, right = "referring", "referred"
	m := matches{occurrences: derivedColumn(left, "occurrences"), to: derivedColumn(right, to.Keys[0].Name)}
	join := &plan.Join{
		Left:  &plan.Derived{Input: from, Alias: left, Why: "the values of from_columns"},
		Right: &plan.Derived{Input: to, Alias: right, Why: "the values of to_columns"},
		Kind:  plan.LeftJoin, Relationship: r.Name, Cardinality: catalog.OneToOne.String(),
	}
	for i, k := range from.Keys {
		value := derivedColumn(left, k.Name)
		join.On = append(join.On, plan.JoinPair{Left: value, Right: derivedColumn(right, to.Keys[i].Name)})
		m.from = append(m.from, plan.NamedExpr{Name: k.Name, Expr: value, Type: k.Type})
	}
	m.node = join
	return m, nil
}

func derivedColumn(table, name string) sqlexpr.Expr {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: table, Quoted: true}, {Text: name, Quoted: true}}}
}
