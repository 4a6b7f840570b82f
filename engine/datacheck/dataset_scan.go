package datacheck

import (
	"context"
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// datasetScanResult is what is known of the rows of one dataset.
type datasetScanResult struct {
	rows   int64 // that were read
	capped bool  // there are more
	keys   []keyOccurrences
}

// countAggregateCheck is one check of the rows of a dataset: it counts over some fields, and reads the counts.
type countAggregateCheck struct {
	unknown string // what is not known if it is rejected: "the key (id) of orders is unique"
	fields  []*catalog.Field
	// stored: the fields are read as their columns store them, a Date with the time of day and a text that is not a day.
	stored bool
	// counts are aggregates over the fields, which are the columns from a first index on.
	counts func(first int) []sqlexpr.Expr
	read   func(counts []int64)
}

// scanDatasets counts what the keys, time fields and relationships need to know of each dataset.
func (c *dataChecker) scanDatasets(ctx context.Context, u unreadableObjects) (map[*catalog.Dataset]*datasetScanResult, error) {
	scans := map[*catalog.Dataset]*datasetScanResult{}
	keys := c.keysToCountByDataset(u)
	for _, d := range c.Catalog.Datasets {
		if u.failed[d] {
			continue
		}
		s, err := c.scanDataset(ctx, d, keys[d], u)
		if err != nil {
			return nil, err
		}
		if s != nil {
			scans[d] = s
		}
	}
	return scans, nil
}

// scanDataset returns nil for a dataset whose rows no check needs, or that was not scanned.
func (c *dataChecker) scanDataset(ctx context.Context, d *catalog.Dataset, keys [][]*catalog.Field, u unreadableObjects) (*datasetScanResult, error) {
	s := &datasetScanResult{rows: -1}
	counters := make([]*keyOccurrences, len(keys))
	var probes []countAggregateCheck
	for i, k := range keys {
		counters[i] = &keyOccurrences{fields: k}
		probes = append(probes, counters[i].newCountAggregateCheck())
	}
	times := c.timeFieldMismatchCounts(d, u)
	for _, t := range times {
		probes = append(probes, t.newCountAggregateCheck())
	}
	texts := c.textTimeFormCounts(d, u)
	for _, t := range texts {
		probes = append(probes, t.newCountAggregateCheck())
	}
	if len(probes) == 0 && !c.isRelationshipTarget(d) {
		return nil, nil
	}
	if err := c.runCountAggregateChecks(ctx, d, probes, s); err != nil || s.rows < 0 {
		return nil, err
	}
	for _, k := range counters {
		if err := c.countCompositeKey(ctx, d, k, s.rows); err != nil {
			return nil, err
		}
		s.keys = append(s.keys, *k)
	}
	if err := c.reportRowsBeyondLimit(ctx, d, s, probes); err != nil {
		return nil, err
	}
	if err := c.reportContradictedKeys(ctx, d, s); err != nil {
		return nil, err
	}
	for _, t := range times {
		if err := c.reportTimeField(ctx, d, t); err != nil {
			return nil, err
		}
	}
	for _, t := range texts {
		if err := c.reportTextTimeForms(ctx, d, t); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// isRelationshipTarget reports whether a relationship joins to the dataset.
func (c *dataChecker) isRelationshipTarget(d *catalog.Dataset) bool {
	return slices.ContainsFunc(c.Catalog.Relationships, func(r *catalog.Relationship) bool {
		return r.To == d && (c.options.reportsAnyCode(CodeRelationshipUnmatched) || c.shouldCheckValidityOverlaps(r))
	})
}

// runCountAggregateChecks runs probes in one statement with the count of rows. Where it is rejected, the probes run by halves, so
// that a fault of one does not hide the others.
func (c *dataChecker) runCountAggregateChecks(ctx context.Context, d *catalog.Dataset, probes []countAggregateCheck, s *datasetScanResult) error {
	var fields []scannedField
	list := []sqlexpr.Expr{countExpr(nil, false)}
	for _, p := range probes {
		first := len(fields)
		for _, f := range p.fields {
			fields = append(fields, scannedField{f, p.stored})
		}
		list = append(list, p.counts(first)...)
	}
	counts, err := c.evaluateCountsOverRows(ctx, d, fields, list)
	why := asStatementError(err)
	switch {
	case err == nil:
		s.rows = counts[0]
		next := counts[1:]
		for _, p := range probes {
			n := len(p.counts(0))
			p.read(next[:n])
			next = next[n:]
		}
		return nil
	case why == nil:
		return err
	case len(probes) > 1 && why.reason != failureTimedOut:
		half := len(probes) / 2
		if err := c.runCountAggregateChecks(ctx, d, probes[:half], s); err != nil {
			return err
		}
		return c.runCountAggregateChecks(ctx, d, probes[half:], s)
	}
	// Where no probe needs the rows, only relationships do, which report it themselves.
	if unknown := uncheckedClaims(probes); len(unknown) > 0 {
		c.reportIncompleteCheck(c.places.datasetPlace(d), unknown, why)
	}
	return nil
}

func uncheckedClaims(probes []countAggregateCheck) []string {
	var out []string
	for _, p := range probes {
		out = append(out, p.unknown)
	}
	return out
}

// scannedField is a field of the scanned rows: its value, or what its column stores.
type scannedField struct {
	field  *catalog.Field
	stored bool
}

// evaluateCountsOverRows counts over the bounded rows of a dataset. Each field has one column, however often it is listed, and another
// one for what is stored.
func (c *dataChecker) evaluateCountsOverRows(ctx context.Context, d *catalog.Dataset, fields []scannedField, list []sqlexpr.Expr) ([]int64, error) {
	var distinct []*catalog.Field
	var stored []int
	place := make([]int, len(fields))
	for i, f := range fields {
		if place[i] = slices.Index(distinct, f.field); place[i] < 0 {
			place[i] = len(distinct)
			distinct = append(distinct, f.field)
		}
	}
	for i, f := range fields {
		if f.stored {
			stored = append(stored, place[i])
			place[i] = len(distinct) + len(stored) - 1
		}
	}
	node, err := c.boundedRowsPlan(ctx, d, distinct)
	if err != nil {
		return nil, err
	}
	if len(stored) > 0 {
		node = addStoredTimes(node, stored)
	}
	for i, x := range list {
		list[i] = renumberColumnRefs(x, place)
	}
	return c.warehouse.runCountingPlan(ctx, &plan.Aggregate{Input: node, Measures: nameCountColumns(list...), Home: d.Name})
}

// renumberColumnRefs gives the columns of an expression other indexes.
func renumberColumnRefs(x sqlexpr.Expr, place []int) sqlexpr.Expr {
	return sqlexpr.RewriteRefs(x, func(r *sqlexpr.Ref) sqlexpr.Expr { return columnRef(place[r.ID]) })
}

// reportRowsBeyondLimit finds out whether a dataset has more rows than were read, and reports what is then not known.
func (c *dataChecker) reportRowsBeyondLimit(ctx context.Context, d *catalog.Dataset, s *datasetScanResult, probes []countAggregateCheck) error {
	if c.options.MaxRows < 0 || s.rows < c.options.MaxRows {
		return nil
	}
	node, err := c.rowsPlan(ctx, d, nil)
	if err != nil {
		return err
	}
	counts, err := c.warehouse.runCountingPlan(ctx, &plan.Aggregate{
		Input: &plan.Limit{Input: node, N: c.options.MaxRows + 1}, Measures: nameCountColumns(countExpr(nil, false)), Home: d.Name,
	})
	if asStatementError(err) != nil {
		counts, err = []int64{c.options.MaxRows + 1}, nil
	}
	if err != nil {
		return err
	}
	s.capped = counts[0] > c.options.MaxRows
	if unknown := uncheckedClaims(probes); s.capped && len(unknown) > 0 {
		c.reportIncompleteCheck(c.places.datasetPlace(d), unknown, &statementError{words: fmt.Sprintf("%s has more than the %s that were read", d.Name, formatRowCount(s.rows))})
	}
	return nil
}
