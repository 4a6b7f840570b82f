package local

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// sequencesKey is the key of the sequences of a query, and the beginning of their locations.
const sequencesKey = "sequences"

// ExtendWithSequences returns the catalog of a query with its sequences, which are datasets as those of the model; the catalog itself
// for a query without any.
func ExtendWithSequences(ctx context.Context, cat *catalog.Catalog, all []query.Sequence) (*catalog.Catalog, error) {
	if len(all) == 0 {
		return cat, nil
	}
	out, err := compile.ExtendWithSequences(ctx, cat, sequencesForCompile(all))
	var failure *modelspec.CompileError
	if err == nil || !errors.As(err, &failure) || !strings.HasPrefix(failure.Location, sequencesKey+"/") {
		return out, scope.ToPlanStageError(err)
	}
	refused := &planerr.Error{Code: failure.Code, Message: failure.Message, Candidates: failure.Candidates, Hint: failure.Hint, Location: failure.Location}
	switch failure.Code {
	case planerr.CodeDuplicateOutputName:
		refused.SuggestedRetry, refused.Hint = cmp.Or(failure.Hint, "choose another name, also where the query uses it"), ""
		refused.Fragment = renameSequenceOrStep(cat, all, failure.Location)
	default:
		refused.Fragment = respellInSequence(all, failure)
	}
	return nil, refused
}

func sequencesForCompile(all []query.Sequence) []compile.QuerySequence {
	out := make([]compile.QuerySequence, len(all))
	for i, q := range all {
		out[i] = compile.QuerySequence{
			Location: sequencesKey + "/" + strconv.Itoa(i), Name: q.Name, Entity: q.Entity, Same: q.Same,
			AnyOrder: q.Order == query.SequenceOrderAny, FirstOnly: q.Start == query.SequenceStartFirst, Periods: int(q.Periods),
		}
		if q.Every != "" {
			out[i].Every, _ = sqlexpr.ParseGrain(q.Every)
		}
		if q.Within != nil {
			out[i].Count = int(q.Within.Count)
			out[i].Grain, _ = sqlexpr.ParseGrain(q.Within.Granularity)
		}
		for _, s := range q.Steps {
			out[i].Steps = append(out[i].Steps, compile.QuerySequenceStep(s))
		}
	}
	return out
}

// renameSequenceOrStep returns the list of sequences in which the one at a location, or its step, has a free name.
func renameSequenceOrStep(cat *catalog.Catalog, all []query.Sequence, location string) map[string]any {
	place := strings.Split(location, "/")
	i, err := strconv.Atoi(place[1])
	if err != nil {
		return nil
	}
	fixed := slices.Clone(all)
	q := &fixed[i]
	var taken []string
	if len(place) > 3 {
		k, err := strconv.Atoi(place[3])
		if err != nil {
			return nil
		}
		for _, s := range q.Steps {
			taken = append(taken, s.Name)
		}
		q.Steps = slices.Clone(q.Steps)
		q.Steps[k].Name = numberedName(q.Steps[k].Name, taken)
		return map[string]any{sequencesKey: fixed}
	}
	for _, d := range cat.Datasets {
		taken = append(taken, d.Name)
	}
	for _, r := range cat.Relationships {
		taken = append(taken, r.Name)
	}
	for _, o := range all {
		taken = append(taken, o.Name)
		for _, s := range o.Steps {
			taken = append(taken, o.Name+"_"+s.Name)
		}
	}
	q.Name = numberedName(q.Name, taken)
	return map[string]any{sequencesKey: fixed}
}

// respellInSequence returns the list of sequences in which the unknown name of an error is the one that was probably meant, and the
// time of a step a time field; nil where there is none.
func respellInSequence(all []query.Sequence, failure *modelspec.CompileError) map[string]any {
	place := strings.Split(failure.Location, "/")
	i, err := strconv.Atoi(place[1])
	if err != nil || len(failure.Candidates) == 0 {
		return nil
	}
	fixed := slices.Clone(all)
	q := &fixed[i]
	q.Steps, q.Entity, q.Same = slices.Clone(q.Steps), slices.Clone(q.Entity), slices.Clone(q.Same)
	var (
		names []*string
		time  *string // of the step; no time field, if the request is bad
	)
	addAll := func(list []string) {
		for k := range list {
			names = append(names, &list[k])
		}
	}
	if len(place) > 3 && place[2] == "steps" {
		k, err := strconv.Atoi(place[3])
		if err != nil {
			return nil
		}
		step := &q.Steps[k]
		step.Entity, step.Same = slices.Clone(step.Entity), slices.Clone(step.Same)
		if failure.Code == planerr.CodeUnknownDataset {
			names = append(names, &step.Dataset)
		} else {
			time = &step.At
			if step.At != "" {
				names = append(names, time)
			}
			addAll(step.Entity)
			addAll(step.Same)
			if where, ok := respellInExpression(step.Where, failure.Candidates); ok {
				step.Where = where
				return map[string]any{sequencesKey: fixed}
			}
		}
	}
	if failure.Code != planerr.CodeUnknownDataset {
		addAll(q.Entity)
		addAll(q.Same)
	}
	for _, name := range names {
		if slices.Contains(failure.Candidates, *name) {
			continue
		}
		if better, ok := suggest.Respelling(*name, failure.Candidates); ok {
			*name = better
			return map[string]any{sequencesKey: fixed}
		}
	}
	if time != nil && failure.Code == planerr.CodeBadRequest {
		*time = failure.Candidates[0]
		return map[string]any{sequencesKey: fixed}
	}
	return nil
}

// respellInExpression returns an expression in which a name that is near one of others is that one.
func respellInExpression(text string, candidates []string) (string, bool) {
	e, err := sqlexpr.ParseLimited(text, sqlexpr.QueryLimits())
	if err != nil {
		return "", false
	}
	for _, column := range sqlexpr.ColumnReferences(e) {
		last := &column.Path[len(column.Path)-1]
		if slices.Contains(candidates, last.Text) {
			continue
		}
		if better, ok := suggest.Respelling(last.Text, candidates); ok {
			*last = sqlexpr.Name{Text: better}
			return sqlexpr.Format(e), true
		}
	}
	return "", false
}
