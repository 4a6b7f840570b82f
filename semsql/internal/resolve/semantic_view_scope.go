package resolve

import (
	"errors"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/relations"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// SemanticViewClauses is what a SEMANTIC_VIEW lists.
type SemanticViewClauses struct {
	Dimensions, Facts, Metrics []sqlexpr.Expr
	Where                      []sqlexpr.Expr // over rows
}

// NewSemanticViewScope resolves a SEMANTIC_VIEW. The names of the scope are the outputs of the view.
func (s *Statement) NewSemanticViewScope(v *parse.SemanticView) (*Scope, *SemanticViewClauses, error) {
	relation, err := s.relationOfSemanticView(v)
	if err != nil {
		return nil, nil, err
	}
	inner := &Scope{Statement: s, Sources: []*Source{{Relation: relation}}, roles: true}
	outputs := &inlinedDerivedTable{scope: inner, source: inner.Sources[0]}
	view := &SemanticViewClauses{}
	for _, list := range []struct {
		items []*parse.SelectItem
		into  *[]sqlexpr.Expr
	}{{v.Dimensions, &view.Dimensions}, {v.Facts, &view.Facts}, {v.Metrics, &view.Metrics}} {
		for _, item := range list.items {
			if err := inner.addViewOutput(outputs, item, list.into); err != nil {
				return nil, nil, err
			}
		}
	}
	if view.Where, err = inner.LowerConditions(SplitConjuncts(v.Where)); err != nil {
		return nil, nil, withOssieAmbiguousCode(err)
	}
	outer := &Source{Relation: relation, merged: outputs}
	if v.Alias != nil {
		outer.Alias = v.Alias.Name
		if len(v.Alias.Columns) > len(outputs.names) {
			return nil, nil, tooManyAliasColumnsError(v.Alias)
		}
		copy(outputs.names, v.Alias.Columns)
	}
	return &Scope{Statement: s, Sources: []*Source{outer}}, view, nil
}

// relationOfSemanticView returns the relation of the model, or of a view of it, that a SEMANTIC_VIEW names.
func (s *Statement) relationOfSemanticView(v *parse.SemanticView) (*relations.Relation, error) {
	name := v.Model[len(v.Model)-1]
	candidates := []string{s.Cat.Name}
	if s.Schema.Wide.View != nil { // the scope of a view does not have the model
		candidates[0] = s.Schema.Wide.Name
	}
	for _, known := range []string{candidates[0], s.Schema.Wide.Name} {
		if MatchesName(parse.Name{Text: known, Quoted: true}, name) {
			return s.Schema.Wide, nil
		}
	}
	for _, r := range s.Schema.Views {
		if MatchesName(parse.Name{Text: r.Name, Quoted: true}, name) {
			return r, nil
		}
		candidates = append(candidates, r.Name)
	}
	return nil, sqlerror.New(planerr.CodeUnknownDataset, v.Pos(), "the model "+planerr.ClipText(name.Text)+" does not exist").WithCandidates(candidates)
}

// addViewOutput adds an item of a view to its outputs: dataset.* is every field of a dataset.
func (s *Scope) addViewOutput(outputs *inlinedDerivedTable, item *parse.SelectItem, into *[]sqlexpr.Expr) error {
	if star, ok := item.X.(*parse.Star); ok {
		return s.addDatasetOutputs(outputs, star, into)
	}
	e, err := s.LowerExpr(item.X)
	if err != nil {
		return withOssieAmbiguousCode(err)
	}
	*into = append(*into, e)
	return outputs.addOutput(item, s.viewOutputName(item, e))
}

// viewOutputName returns the name of an output: its alias, else the bare name of the field or metric, of a role path its column.
func (s *Scope) viewOutputName(item *parse.SelectItem, e sqlexpr.Expr) string {
	if item.Alias.Text != "" {
		return AliasColumnName(item.Alias)
	}
	ref, ok := e.(*sqlexpr.Ref)
	if !ok {
		return parse.ColumnName(item.X)
	}
	switch r := s.Refs.ReferenceOf(ref); {
	case r.Kind == FieldReferenceKind && len(r.Path) == 0:
		return r.Field.Name
	default:
		return r.Column
	}
}

func (s *Scope) addDatasetOutputs(outputs *inlinedDerivedTable, star *parse.Star, into *[]sqlexpr.Expr) error {
	name := star.Qualifier
	var d *catalog.Dataset
	if len(name) == 1 {
		d = s.Cat.Dataset(name[0].Text)
	}
	if d == nil {
		return sqlerror.New(planerr.CodeUnknownDataset, star.Pos(), "a star of a view is one of a dataset")
	}
	for _, c := range s.Schema.RelationOfDataset(d).FieldColumns() {
		if r := s.wideRelation(); r.View != nil && !r.View.ShowsFieldOfDataset(c.Field) {
			continue
		}
		item := &parse.SelectItem{Position: parse.Position(star.Position), X: &parse.Column{Position: star.Position, Path: []parse.Name{{Text: d.Name, Quoted: true}, {Text: c.Name, Quoted: true}}}}
		e, err := s.LowerExpr(item.X)
		if err != nil {
			return withOssieAmbiguousCode(err)
		}
		*into = append(*into, e)
		if err := outputs.addOutput(item, c.Name); err != nil {
			return err
		}
	}
	return nil
}

// addOutput adds a column; two of one name are rejected.
func (m *inlinedDerivedTable) addOutput(item *parse.SelectItem, name string) error {
	for _, known := range m.names {
		if strings.EqualFold(known.Text, name) {
			e := sqlerror.New(planerr.CodeDuplicateOutputName, item.Pos(), "two outputs of the view are named "+planerr.ClipText(name)).WithOssieCode("E1205").
				WithHint("give one an alias")
			return e.WithSuggestedStatement(m.scope.FormatWithReplacedPart(item, func() parse.Node {
				return &parse.SelectItem{Position: item.Position, X: item.X, Alias: qualifiedOutputName(item, name)}
			}))
		}
	}
	m.items, m.names = append(m.items, item), append(m.names, parse.Name{Text: name, Quoted: true})
	return nil
}

// qualifiedOutputName returns a name for an output whose own name another has: that of its dataset or relationship before its own.
func qualifiedOutputName(item *parse.SelectItem, name string) parse.Name {
	if c, ok := item.X.(*parse.Column); ok && len(c.Path) > 1 && item.Alias.Text == "" {
		return parse.Name{Text: c.Path[0].Text + "__" + c.Path[len(c.Path)-1].Text}
	}
	return parse.Name{Text: name + "_2"}
}

// withOssieAmbiguousCode gives an ambiguous name the code of the Ossie draft.
func withOssieAmbiguousCode(err error) error {
	var e *sqlerror.Error
	if errors.As(err, &e) && e.Code == planerr.CodeAmbiguousDimension {
		return e.WithOssieCode("E1204")
	}
	return err
}

// fieldMeaningsInRole finds rel.field in a view.
func (s *Scope) fieldMeaningsInRole(relationship, name parse.Name, at int) []columnMeaning {
	rel := s.Cat.Relationship(relationship.Text)
	if rel == nil || rel.Err != nil || s.Cat.Dataset(relationship.Text) != nil {
		return nil
	}
	var out []columnMeaning
	for _, column := range s.Schema.RelationOfDataset(rel.To).FindColumns(name) {
		if r := s.wideRelation(); column.Field != nil && r.View != nil {
			if shown := r.ColumnOfViewField(catalog.ViewField{Field: column.Field, Rel: rel}); shown != nil {
				out = append(out, s.meaningOfColumn(shown, s.Sources[0], at))
			}
			continue
		}
		if column.Field != nil {
			shown := *column
			shown.Name, shown.Path = rel.Name+"__"+column.Name, []catalog.JoinStep{{Rel: rel}}
			out = append(out, s.meaningOfColumn(&shown, s.Sources[0], at))
		}
	}
	return out
}

// metricMeaningsInDataset finds dataset.metric in a view.
func (s *Scope) metricMeaningsInDataset(dataset, name parse.Name, at int) []columnMeaning {
	d := s.Cat.Dataset(dataset.Text)
	if d == nil {
		return nil
	}
	var out []columnMeaning
	for _, column := range s.Schema.RelationOfDataset(d).FindColumns(name) {
		if r := s.wideRelation(); column.Metric != nil && (r.View == nil || r.View.HasMetric(column.Metric)) {
			out = append(out, s.meaningOfColumn(column, s.Sources[0], at))
		}
	}
	return out
}
