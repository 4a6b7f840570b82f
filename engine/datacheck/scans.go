package datacheck

import (
	"context"
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// scan is what is known of the rows of one dataset.
type scan struct {
	rows   int64 // that were read
	capped bool  // there are more
	keys   []keyCount
}

// probe is one check of the rows of a dataset: it counts over some fields, and reads the counts.
type probe struct {
	unknown string // what is not known if it is refused: "the key (id) of orders is unique"
	fields  []*catalog.Field
	// counts are aggregates over the fields, which are the columns from a first index on.
	counts func(first int) []sqlexpr.Expr
	read   func(counts []int64)
}

// scanDatasets counts what the keys, time fields and relationships need to know of each dataset.
func (c *checker) scanDatasets(ctx context.Context, u usable) (map[*catalog.Dataset]*scan, error) {
	scans := map[*catalog.Dataset]*scan{}
	keys := c.keysToCount(u)
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
func (c *checker) scanDataset(ctx context.Context, d *catalog.Dataset, keys [][]*catalog.Field, u usable) (*scan, error) {
	s := &scan{rows: -1}
	counters := make([]*keyCount, len(keys))
	var probes []probe
	for i, k := range keys {
		counters[i] = &keyCount{fields: k}
		probes = append(probes, counters[i].probe())
	}
	times := c.timeCounts(d, u)
	for _, t := range times {
		probes = append(probes, t.probe())
	}
	if len(probes) == 0 && !c.joined(d) {
		return nil, nil
	}
	if err := c.runProbes(ctx, d, probes, s); err != nil || s.rows < 0 {
		return nil, err
	}
	for _, k := range counters {
		if err := c.countComposite(ctx, d, k, s.rows); err != nil {
			return nil, err
		}
		s.keys = append(s.keys, *k)
	}
	if err := c.measureCap(ctx, d, s, probes); err != nil {
		return nil, err
	}
	if err := c.reportKeys(ctx, d, s); err != nil {
		return nil, err
	}
	for _, t := range times {
		if err := c.reportTime(ctx, d, t); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// joined reports whether a relationship joins to the dataset.
func (c *checker) joined(d *catalog.Dataset) bool {
	return c.options.seeks(CodeRelationshipUnmatched) &&
		slices.ContainsFunc(c.Catalog.Relationships, func(r *catalog.Relationship) bool { return r.To == d })
}

// runProbes runs probes in one statement with the count of rows. Where it is rejected, the probes run by halves, so
// that a fault of one does not hide the others.
func (c *checker) runProbes(ctx context.Context, d *catalog.Dataset, probes []probe, s *scan) error {
	var fields []*catalog.Field
	list := []sqlexpr.Expr{countOf(nil, false)}
	for _, p := range probes {
		first := len(fields)
		fields = append(fields, p.fields...)
		list = append(list, p.counts(first)...)
	}
	counts, err := c.countRows(ctx, d, fields, list)
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
	case len(probes) > 1 && why.reason != timedOut:
		half := len(probes) / 2
		if err := c.runProbes(ctx, d, probes[:half], s); err != nil {
			return err
		}
		return c.runProbes(ctx, d, probes[half:], s)
	}
	// Where no probe needs the rows, only relationships do, which report it themselves.
	if unknown := unknownOf(probes); len(unknown) > 0 {
		c.incomplete(c.places.dataset(d), unknown, why)
	}
	return nil
}

func unknownOf(probes []probe) []string {
	var out []string
	for _, p := range probes {
		out = append(out, p.unknown)
	}
	return out
}

// countRows counts over the bounded rows of a dataset. Each field has one column, however often it is listed.
func (c *checker) countRows(ctx context.Context, d *catalog.Dataset, fields []*catalog.Field, list []sqlexpr.Expr) ([]int64, error) {
	var distinct []*catalog.Field
	place := make([]int, len(fields))
	for i, f := range fields {
		at := slices.Index(distinct, f)
		if at < 0 {
			at = len(distinct)
			distinct = append(distinct, f)
		}
		place[i] = at
	}
	node, err := c.boundedRows(ctx, d, distinct)
	if err != nil {
		return nil, err
	}
	for i, x := range list {
		list[i] = moveColumns(x, place)
	}
	return c.warehouse.counts(ctx, &plan.Aggregate{Input: node, Measures: measures(list...), Home: d.Name})
}

// moveColumns gives the columns of an expression other indexes.
func moveColumns(x sqlexpr.Expr, place []int) sqlexpr.Expr {
	return sqlexpr.Rewrite(x, func(x sqlexpr.Expr) sqlexpr.Expr {
		if r, ok := x.(*sqlexpr.Ref); ok {
			return column(place[r.ID])
		}
		return nil
	})
}

// measureCap finds out whether a dataset has more rows than were read, and reports what is then not known.
func (c *checker) measureCap(ctx context.Context, d *catalog.Dataset, s *scan, probes []probe) error {
	if c.options.MaxRows < 0 || s.rows < c.options.MaxRows {
		return nil
	}
	node, err := c.rows(ctx, d, nil)
	if err != nil {
		return err
	}
	counts, err := c.warehouse.counts(ctx, &plan.Aggregate{
		Input: &plan.Limit{Input: node, N: c.options.MaxRows + 1}, Measures: measures(countOf(nil, false)), Home: d.Name,
	})
	if asStatementError(err) != nil {
		counts, err = []int64{c.options.MaxRows + 1}, nil
	}
	if err != nil {
		return err
	}
	s.capped = counts[0] > c.options.MaxRows
	if unknown := unknownOf(probes); s.capped && len(unknown) > 0 {
		c.incomplete(c.places.dataset(d), unknown, &statementError{words: fmt.Sprintf("%s has more than the %s that were read", d.Name, rowsText(s.rows))})
	}
	return nil
}
