package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// shared writes an expression over fields with the names that both sides share.
func (s *side) shared(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		if r, ok := x.(*sqlexpr.Ref); ok {
			return quoted(s.field(s.Catalog.Fields[r.ID]))
		}
		return nil
	})
}

func quoted(name string) sqlexpr.Expr {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: name, Quoted: true}}}
}

// sharedForm writes the arithmetic of a metric as shared writes an expression.
func (s *side) sharedForm(f *catalog.Form) sqlexpr.Expr {
	return s.writeForm(f, s.sharedMeasure, func(m *catalog.Metric) sqlexpr.Expr { return quoted(s.metric(m)) })
}

func (s *side) writeForm(f *catalog.Form, measure func(*catalog.Measure) sqlexpr.Expr, metric func(*catalog.Metric) sqlexpr.Expr) sqlexpr.Expr {
	if f == nil {
		return nil
	}
	return sqlexpr.Rewrite(f.Expr, func(x sqlexpr.Expr) sqlexpr.Expr {
		r, ok := x.(*sqlexpr.Ref)
		if !ok {
			return nil
		}
		switch o := f.Operands[r.ID].(type) {
		case *catalog.Measure:
			return measure(o)
		case *catalog.Metric:
			return metric(o)
		}
		return x
	})
}

var aggregateFuncs = map[catalog.Agg]sqlexpr.Func{
	catalog.AggSum: sqlexpr.FnSum, catalog.AggCount: sqlexpr.FnCount, catalog.AggCountDistinct: sqlexpr.FnCount,
	catalog.AggAvg: sqlexpr.FnAvg, catalog.AggMin: sqlexpr.FnMin, catalog.AggMax: sqlexpr.FnMax,
}

// sharedMeasure is a measure as a call. Its home is an argument: a count of the rows of
// one dataset is not that of another.
func (s *side) sharedMeasure(m *catalog.Measure) sqlexpr.Expr {
	if m == nil {
		return nil
	}
	args := []sqlexpr.Expr{quoted(s.dataset(m.Home))}
	if m.Arg != nil {
		args = append(args, s.shared(m.Arg))
	}
	return aggregateCall(m, args)
}

func aggregateCall(m *catalog.Measure, args []sqlexpr.Expr) *sqlexpr.Call {
	fn := aggregateFuncs[m.Agg]
	return &sqlexpr.Call{
		Fn: fn, Name: sqlexpr.Name{Text: sqlexpr.InfoOf(fn).Name},
		Distinct: m.Agg == catalog.AggCountDistinct, Star: len(args) == 0, Args: args,
	}
}

// equalMeaning compares expressions that shared has written.
func equalMeaning(a, b sqlexpr.Expr) bool {
	if a == nil || b == nil || sqlexpr.Equal(a, b) {
		return (a == nil) == (b == nil)
	}
	return sqlexpr.Equal(sqlexpr.Normalize(a), sqlexpr.Normalize(b))
}

// differing finds the first dialect, "" for the default, on which two variants differ.
func differing[T any](a, b catalog.Variants[T], equal func(a, b T) bool) (dialect string, differ bool) {
	if !equal(a.Default, b.Default) {
		return "", true
	}
	if len(a.ByDialect) == 0 && len(b.ByDialect) == 0 {
		return "", false
	}
	dialects := slices.Sorted(maps.Keys(a.ByDialect))
	for _, d := range slices.Sorted(maps.Keys(b.ByDialect)) {
		if _, ok := a.ByDialect[d]; !ok {
			dialects = append(dialects, d)
		}
	}
	for _, d := range dialects {
		if !equal(a.For(d), b.For(d)) {
			return d, true
		}
	}
	return "", false
}

// spelled prints an expression over fields for people.
func (s *side) spelled(e sqlexpr.Expr) string {
	if e == nil {
		return ""
	}
	return sqlexpr.Format(s.spell(e))
}

func (s *side) spell(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		if r, ok := x.(*sqlexpr.Ref); ok {
			f := s.Catalog.Fields[r.ID]
			return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: f.Dataset.Name}, {Text: f.Name}}}
		}
		return nil
	})
}

// spelledForm prints the arithmetic of a metric for people.
func (s *side) spelledForm(f *catalog.Form) string {
	if f == nil {
		return ""
	}
	return sqlexpr.Format(s.writeForm(f, s.spellMeasure, func(m *catalog.Metric) sqlexpr.Expr {
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: m.Name}}}
	}))
}

func (s *side) spellMeasure(m *catalog.Measure) sqlexpr.Expr {
	if m.Arg == nil {
		return aggregateCall(m, nil)
	}
	return aggregateCall(m, []sqlexpr.Expr{s.spell(m.Arg)})
}

// onDialect marks what is written for one dialect.
func onDialect(dialect, text string) string {
	if dialect == "" || text == "" {
		return text
	}
	return dialect + ": " + text
}

// keySet is a list of columns as a set: their order is of no meaning.
func keySet(columns []string) string {
	out := make([]string, 0, len(columns))
	for _, c := range columns {
		out = append(out, strings.ToLower(strings.Trim(c, `"`)))
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}

// keySets lists keys as sets, each once.
func keySets(keys [][]string) []string {
	var out []string
	for _, k := range keys {
		out = append(out, "("+keySet(k)+")")
	}
	slices.Sort(out)
	return slices.Compact(out)
}
