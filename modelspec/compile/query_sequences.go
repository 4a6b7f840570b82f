package compile

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// QuerySequence is a sequence that a query adds to a model, as the key sequence of the extension.
type QuerySequence struct {
	Location     string // in the query, as sequences/0
	Name         string
	Entity, Same []string
	Steps        []QuerySequenceStep
	Count        int
	Grain        sqlexpr.Grain // GrainNone for any time
	AnyOrder     bool
	FirstOnly    bool
	Every        sqlexpr.Grain // GrainNone for one row of a start
	Periods      int
}

// QuerySequenceStep is one step. Entity and Same are nil where the fields have the names of the first step.
type QuerySequenceStep struct {
	Name, Dataset, Where, At string
	Entity, Same             []string
}

// ExtendWithSequences returns a catalog with the sequences of one query as datasets of a model, which stays as it is. Their texts name
// what the scope of the catalog has. It costs what they cost, and an index of the names and the joins of the model.
//
// The error is a *modelspec.CompileError at its location in the query, or that of an object of the model that a text names.
func ExtendWithSequences(ctx context.Context, cat *catalog.Catalog, all []QuerySequence) (*catalog.Catalog, error) {
	out := cat.ExtendWithDatasets()
	c := &compiler{
		ctx: ctx, cat: out, extends: true, measures: newUniqueMeasureTable(), ranking: suggest.NewRankingBudget(candidateRankingBudget),
		byName: map[string]*datasetInProgress{}, byMetric: map[string]*metricInProgress{}, bare: map[string][]*fieldInProgress{}, parsed: map[parseCacheKey]cachedParseResult{},
	}
	for _, q := range all {
		if err := c.addQuerySequence(q); err != nil {
			return nil, restateErrorForQuery(err, q.Location)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return out.IndexDatasets(cat), nil
}

// addQuerySequence compiles a sequence as that of a dataset of a model is.
func (c *compiler) addQuerySequence(q QuerySequence) *modelspec.CompileError {
	place := modelspec.Place{Location: q.Location}
	taken := ""
	switch d := c.findDataset(q.Name); {
	case d != nil && c.cat.Dataset(q.Name) == nil:
		taken = "another sequence"
	case d != nil:
		taken = "a dataset"
	case slices.ContainsFunc(c.cat.Relationships, func(r *catalog.Relationship) bool { return strings.EqualFold(r.Name, q.Name) }):
		taken = "a relationship"
	}
	if taken != "" {
		return queryPartError(CodeDuplicateOutputNameInQuery, q.Location+"/name", "", "the sequence %s has the name of %s", shortenText(q.Name), taken)
	}
	for i, s := range q.Steps {
		for _, before := range q.Steps[:i] {
			if strings.EqualFold(before.Name, s.Name) {
				return queryPartError(CodeDuplicateOutputNameInQuery, q.Location+"/steps/"+strconv.Itoa(i), "", "two steps of the sequence %s are named %s", q.Name, shortenText(s.Name))
			}
		}
	}
	block, err := c.readQuerySequence(q, place)
	if err != nil {
		return err
	}
	d := &datasetInProgress{
		doc: &modelspec.Dataset{Place: place, Name: modelspec.LocatedText{Value: q.Name}}, fields: map[string]*fieldInProgress{},
		cat: &catalog.Dataset{ID: len(c.cat.Datasets), Name: q.Name, Sequence: &catalog.Sequence{}},
	}
	d.sequence = &sequenceInProgress{block: block, dataset: d}
	for _, phase := range []func() *modelspec.CompileError{
		func() *modelspec.CompileError { return c.findSteps(d.sequence) },
		func() *modelspec.CompileError { return c.addSequenceFields(d.sequence) },
		func() *modelspec.CompileError { c.finishSequenceFields(d); return nil },
		func() *modelspec.CompileError { return c.addStepRelationships(d.sequence) },
		func() *modelspec.CompileError { return c.resolveSteps(d.sequence) },
	} {
		if err := phase(); err != nil {
			if err.Code == modelspec.CodeDuplicateName { // of a relationship
				err.Code = CodeDuplicateOutputNameInQuery
			}
			return err
		}
	}
	c.cat.Datasets = append(c.cat.Datasets, d.cat)
	c.byName[foldCase(q.Name)] = d
	return nil
}

// readQuerySequence reads the texts of a sequence, as package extension reads those of a model's.
func (c *compiler) readQuerySequence(q QuerySequence, place modelspec.Place) (*extension.Sequence, *modelspec.CompileError) {
	out := &extension.Sequence{Place: place, Count: q.Count, Grain: q.Grain, AnyOrder: q.AnyOrder, FirstOnly: q.FirstOnly, Every: q.Every, Periods: q.Periods}
	var err *modelspec.CompileError
	if out.Entity, err = readQueryFieldNames(q.Entity, q.Location+"/entity"); err != nil {
		return nil, err
	}
	if out.Same, err = readQueryFieldNames(q.Same, q.Location+"/same"); err != nil {
		return nil, err
	}
	for i, s := range q.Steps {
		at := modelspec.Place{Location: q.Location + "/steps/" + strconv.Itoa(i)}
		step := extension.SequenceStep{Place: at, Name: s.Name, Dataset: extension.ObjectRef{Place: at, Name: s.Dataset}}
		if s.At != "" {
			step.At = extension.ObjectRef{Place: at, Name: s.At}
		}
		if step.Entity, err = readQueryFieldNames(s.Entity, at.Location); err != nil {
			return nil, err
		}
		if step.Same, err = readQueryFieldNames(s.Same, at.Location); err != nil {
			return nil, err
		}
		if strings.TrimSpace(s.Where) != "" {
			where, err := ParseQueryScalarExpr(s.Where, at.Location)
			if err != nil {
				return nil, err
			}
			if _, err := c.estimateTextFunctionCost(where, nil, at.Location); err != nil {
				return nil, err
			}
			step.Where = &extension.PayloadExpression{Text: s.Where, Expr: where, Place: at}
		}
		out.Steps = append(out.Steps, step)
	}
	return out, nil
}

// readQueryFieldNames reads names of fields, which may have a dataset or relationships before them.
func readQueryFieldNames(names []string, location string) ([]*extension.PayloadExpression, *modelspec.CompileError) {
	var out []*extension.PayloadExpression
	for _, name := range names {
		e, err := sqlexpr.ParseLimited(name, sqlexpr.QueryLimits())
		if _, isName := e.(*sqlexpr.Column); err != nil || !isName {
			return nil, queryPartError(CodeBadRequest, location, "", "%s is not the name of a field", quoteExcerpt(name))
		}
		out = append(out, &extension.PayloadExpression{Text: name, Expr: e, Place: modelspec.Place{Location: location}})
	}
	return out, nil
}
