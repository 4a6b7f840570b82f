package properties_test

import (
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// withFieldsOfRules adds groups that the rules of readers read to rollups: of their datasets, and of those that a relationship leads to.
func (r *maker) withFieldsOfRules(rollups []rollupText) []rollupText {
	for i := range rollups {
		of := rollups[i].Of
		for _, p := range r.places([]*dataset{r.m.dataset(of)}) {
			isRead := slices.ContainsFunc([]string{"_kind", "_level", "_size", "_id"}, func(suffix string) bool { return strings.HasSuffix(p.field.name, suffix) })
			isNear := strings.HasPrefix(p.ref, of+".") || strings.Count(p.ref, ".") == 1 && r.isRelation(p.ref)
			if p.safe && isRead && isNear && len(p.field.params) == 0 && p.field.payload == "" && r.chance(60) {
				rollups[i].GroupBy = append(rollups[i].GroupBy, map[string]string{"field": p.ref, "column": "rule" + strconv.Itoa(len(rollups[i].GroupBy))})
			}
		}
	}
	return rollups
}

func (r *maker) isRelation(ref string) bool {
	name, _, _ := strings.Cut(ref, ".")
	return slices.ContainsFunc(r.m.relations, func(rel *relation) bool { return rel.name == name })
}

// A reader gets the same rows with rollups, which were made from the rows of all readers, and without.
func TestRollups_HaveTheRowsOfTheirReaders(t *testing.T) {
	t.Parallel()
	seed, queries := settings(t)
	routed, base := 0, 0
	rules := map[string]int{}
	for range rolledModels(queries) {
		r := newMaker(seed)
		m := r.model()
		p := r.policy()
		var questions []*question
		for range questionsPerModel {
			questions = append(questions, r.questionForRollups())
		}
		rollups := r.withFieldsOfRules(r.rollups(questions))
		whole := openRolled(t, m, rollups)
		c := engine.Config{
			Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: m.rolledYAML(rollups), Setup: append([]string{m.sql("duckdb")}, tablesOf(t, whole)...),
			MaxExecutions: 4, Logger: slog.New(slog.DiscardHandler), PoliciesPath: "policies.json",
		}
		_ = whole.Close()
		policies, identity := p.file()
		c.PoliciesText, c.As = policies, &identity
		e, err := engine.Open(t.Context(), c)
		if err != nil {
			t.Fatalf("SEMLAYER_PROPERTY_SEED=%d: %v\n%s", seed, err, policies)
		}
		for _, q := range questions {
			body := r.withConditionOf(q, rollups).json()
			if p.revealed != "" && strings.Contains(body, p.revealed) {
				continue // no name finds it
			}
			on, off := compareRolled(t, e, body, rules)
			routed, base = routed+on, base+off
			if t.Failed() {
				text, _ := json.Marshal(rollups)
				t.Fatalf("SEMLAYER_PROPERTY_SEED=%d\n%s\n%s %v", seed, text, policies, identity.Attributes)
			}
		}
		_ = e.Close()
		seed++
	}
	t.Attr("routed", strconv.Itoa(routed))
	t.Attr("base", strconv.Itoa(base))
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		t.Attr("rule_"+rule, strconv.Itoa(rules[rule]))
	}
	if routed*16 < base {
		t.Errorf("%d branches read rollups, and %d base tables: the rollups are not made for the questions", routed, base)
	}
}
