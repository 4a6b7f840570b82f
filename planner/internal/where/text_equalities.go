package where

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

// FilterTextEquality is a conjunct that compares a field with texts.
type FilterTextEquality struct {
	resolve.TextCondition
	Key       string // of the condition
	Condition sqlexpr.Expr
}

// FieldTimeRange is a range of time over a field, as the field stores it.
type FieldTimeRange struct {
	Ref      resolve.Ref
	Interval timerange.Interval
}

// FindFilterTextEqualities lists the conjuncts of a condition that compare fields with texts.
func FindFilterTextEqualities(key, text string, find func(parts []string) (resolve.Ref, bool)) []FilterTextEquality {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	condition, err := resolve.ParseCondition(key, text)
	if err != nil {
		return nil
	}
	var out []FilterTextEquality
	for _, c := range resolve.FindTextConditions(condition, find) {
		out = append(out, FilterTextEquality{c, key, condition})
	}
	return out
}

// NewFieldTimeRange returns a range over a field, as the field stores it.
func NewFieldTimeRange(in *scope.Env, ref resolve.Ref, interval timerange.Interval) *FieldTimeRange {
	return &FieldTimeRange{ref, interval.OnClock(in.Times.Clock.ForField(ref.Field)).WidenToStoredPeriods(ref.Field)}
}
