package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// rankNameCandidates ranks the candidates of an error about the name of a metric or a field: what has the name as its
// synonym or label, then a field of that name in another dataset, then the name that a slip of the keyboard leads to, then
// the hits of find, then the nearest names.
func (e *Engine) rankNameCandidates(refused *PlanError) *PlanError {
	kind := find.KindMetric
	if refused.Code == planerr.CodeUnknownDimension {
		kind = find.KindDimension
	}
	name := refused.UnknownName
	if name == "" || len(name) > 4*query.MaxSearchRunes || utf8.RuneCountInString(name) > query.MaxSearchRunes {
		return refused
	}
	answer := e.index().Find(find.Question{Text: name, Kinds: []find.Kind{kind}, Limit: suggest.MaxCandidates})
	var ranked []string
	add := func(candidate string) {
		if !slices.Contains(ranked, candidate) && len(ranked) < suggest.MaxCandidates && !e.isBrokenMetric(kind, candidate) {
			ranked = append(ranked, candidate)
		}
	}
	closest, isSlip := suggest.ClosestIfNear(name, refused.Candidates)
	for _, h := range answer.Hits {
		if !answer.Near && h.Score == 1 && !strings.HasPrefix(h.Why, "name") {
			add(h.Name)
		}
	}
	bare, isQualified := nameAfterLastDot(name)
	for _, h := range answer.Hits {
		if own, _ := nameAfterLastDot(h.Name); isQualified && kind == find.KindDimension && strings.EqualFold(own, bare) {
			add(h.Name)
		}
	}
	if isSlip {
		add(closest)
	}
	if !answer.Near {
		for _, h := range answer.Hits {
			add(h.Name)
		}
	}
	for _, candidate := range refused.Candidates {
		add(candidate)
	}
	out := *refused
	out.Candidates = ranked
	return &out
}

// isBrokenMetric reports whether a candidate is a metric that does not compile.
func (e *Engine) isBrokenMetric(kind find.Kind, name string) bool {
	if kind != find.KindMetric {
		return false
	}
	m := e.cat.Metric(name)
	return m == nil || m.Err != nil
}

// nameAfterLastDot is the last part of a qualified name; ok is false for one of a single part.
func nameAfterLastDot(name string) (last string, ok bool) {
	at := strings.LastIndexByte(name, '.')
	return name[at+1:], at >= 0
}
