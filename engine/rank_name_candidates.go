package engine

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// rankNameCandidates ranks the candidates of an error about the name of a metric or a field in a query of some metrics:
// the names that fit these come first.
func (e *Engine) rankNameCandidates(ctx context.Context, refused *planerr.Error, metrics []string) *planerr.Error {
	kind := find.KindMetric
	if refused.Code == planerr.CodeUnknownDimension {
		kind = find.KindDimension
	}
	out := *refused
	out.Candidates = e.rankCandidates(unknownName{
		text: refused.UnknownName, kinds: []find.Kind{kind}, nearest: refused.Candidates,
		namesOf: func(o find.Object) []string { return []string{o.Name} },
		isName:  func(name string) bool { return !e.isUncompilableMetric(kind, name) },
	})
	fitting := e.namesAcceptedWithMetrics(ctx, kind, out.Candidates, metrics)
	slices.SortStableFunc(out.Candidates, func(a, b string) int {
		switch {
		case fitting[a] == fitting[b]:
			return 0
		case fitting[a]:
			return -1
		}
		return 1
	})
	if better := refused.Respelling; better != "" && (fitting == nil || fitting[better]) { // it is the retry
		out.Candidates = slices.Insert(slices.DeleteFunc(out.Candidates, func(name string) bool { return name == better }), 0, better)
		out.Candidates = out.Candidates[:min(len(out.Candidates), suggest.MaxCandidates)]
	}
	return &out
}

// withdrawUnlikelyQuotes returns the error of a bare word beside a field without its retry, which puts the word into quotes,
// where no field is known to have that value and the name of another field is like it.
func (e *Engine) withdrawUnlikelyQuotes(refused *planerr.Error) *planerr.Error {
	if refused.BareText == "" || refused.Fragment == nil || e.hasIndexedValue(refused.BareText) {
		return refused
	}
	like := find.NewLikenessScorer(refused.BareText)
	for _, f := range e.cat.ShownFields() {
		if like.Score(f.Field.Name) >= find.MinLikeness {
			out := *refused
			out.Fragment, out.SuggestedRetry = nil, ""
			return &out
		}
	}
	return refused
}

// hasIndexedValue reports whether the index of values holds a text.
func (e *Engine) hasIndexedValue(text string) bool {
	x := e.indexedValues.indexOf(e.cat)
	if x == nil || utf8.RuneCountInString(text) > query.MaxSearchRunes {
		return false
	}
	found := x.Find(find.SearchRequest{
		Text: text, Kinds: []find.Kind{find.KindValue}, Limit: 1, Accept: func(o find.Object) bool { return o.Value == text },
	})
	return len(found.Hits) > 0 && !found.Near
}

// rankColumnCandidates ranks the candidates of an error about the name of a column of a statement.
func (e *Engine) rankColumnCandidates(refused *SQLError) *SQLError {
	kinds := []find.Kind{find.KindMetric, find.KindDimension}
	if refused.Unknown.IsMetric {
		kinds = kinds[:1]
	}
	out := *refused
	out.Candidates = e.rankCandidates(unknownName{
		text: refused.Unknown.Text, kinds: kinds, nearest: refused.Candidates,
		namesOf: func(o find.Object) []string { return refused.Unknown.ColumnsOf(o.Metric, o.Field) },
		isName:  func(string) bool { return true },
	})
	return &out
}

// unknownName is a name that a query or a statement has and the model has not.
type unknownName struct {
	text    string
	kinds   []find.Kind
	nearest []string // the names that are spelt most alike
	// namesOf are the names of an object in the place of the unknown one; none for an object that cannot be there.
	namesOf func(find.Object) []string
	isName  func(string) bool // whether a query can have a name
}

// rankCandidates ranks the names that may be meant: what has the unknown name as its synonym or label, then a field of
// that name in another dataset, then the name that a slip of the keyboard leads to, then the hits of find, then the nearest
// names.
func (e *Engine) rankCandidates(unknown unknownName) []string {
	name := unknown.text
	if name == "" || len(name) > 4*query.MaxSearchRunes || utf8.RuneCountInString(name) > query.MaxSearchRunes {
		return unknown.nearest
	}
	answer := e.index().Find(find.SearchRequest{
		Text: name, Kinds: unknown.kinds, Limit: suggest.MaxCandidates,
		Accept: func(o find.Object) bool { return len(unknown.namesOf(o)) > 0 },
	})
	var ranked []string
	add := func(names ...string) {
		for _, candidate := range names {
			if !slices.Contains(ranked, candidate) && len(ranked) < suggest.MaxCandidates && unknown.isName(candidate) {
				ranked = append(ranked, candidate)
			}
		}
	}
	closest, isSlip := suggest.ClosestIfNear(name, unknown.nearest)
	for _, h := range answer.Hits {
		if !answer.Near && h.Score == 1 && !strings.HasPrefix(h.Why, "name") {
			add(unknown.namesOf(h.Object)...)
		}
	}
	bare, isQualified := nameAfterLastDot(name)
	for _, h := range answer.Hits {
		if own, _ := nameAfterLastDot(h.Name); isQualified && h.Kind == find.KindDimension && strings.EqualFold(own, bare) {
			add(unknown.namesOf(h.Object)...)
		}
	}
	if isSlip {
		add(closest)
	}
	if !answer.Near {
		for _, h := range answer.Hits {
			add(unknown.namesOf(h.Object)...)
		}
	}
	add(unknown.nearest...)
	return ranked
}

// maxMetricsInCandidatePlans bounds the metrics of a query that candidates are planned with.
const maxMetricsInCandidatePlans = 20

// namesAcceptedWithMetrics returns the names that one query with some metrics accepts, by a plan of each. Metrics that the model
// does not have are left out; without any, and where they do not go together, all names fit alike.
func (e *Engine) namesAcceptedWithMetrics(ctx context.Context, kind find.Kind, names, metrics []string) map[string]bool {
	var known []*catalog.Metric
	for _, name := range metrics {
		if m := e.cat.Metric(name); m != nil && m.Name == name && m.Err == nil && len(known) < maxMetricsInCandidatePlans {
			known = append(known, m)
		}
	}
	if len(known) == 0 {
		return nil
	}
	fitting := map[string]bool{}
	for _, name := range names {
		if kind == find.KindMetric {
			fitting[name] = e.canPlanMetricsTogether(ctx, append(slices.Clone(known), e.cat.Metric(name)), nil)
			continue
		}
		fitting[name] = e.canPlanMetricsTogether(ctx, known, &query.GroupBy{Field: name})
	}
	return fitting
}

// canPlanMetricsTogether reports whether metrics make one query, with a group-by beside those that they need.
func (e *Engine) canPlanMetricsTogether(ctx context.Context, metrics []*catalog.Metric, by *query.GroupBy) bool {
	q, err := e.minimalQueryOfMetrics(ctx, metrics)
	if err != nil {
		return false
	}
	if by != nil && !slices.ContainsFunc(q.GroupBy, func(g query.GroupBy) bool { return g.Field == by.Field }) {
		q.GroupBy = append(q.GroupBy, *by)
	}
	_, err = e.planner.PlanMetrics(ctx, q, e.warehouses.targets[embeddedDialect].planner)
	return err == nil
}

// isUncompilableMetric reports whether a candidate is a metric that does not compile.
func (e *Engine) isUncompilableMetric(kind find.Kind, name string) bool {
	if kind != find.KindMetric {
		return false
	}
	m := e.cat.Metric(name)
	return m == nil || m.Err != nil
}

// nameAfterLastDot returns the last part of a qualified name; ok is false for one of a single part.
func nameAfterLastDot(name string) (last string, ok bool) {
	at := strings.LastIndexByte(name, '.')
	return name[at+1:], at >= 0
}
