package resolve

import (
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/relations"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// codeUnknownColumn is the code of a name that a relation lacks, as in expressions of models.
const codeUnknownColumn = "unknown_column"

// columnMeaning is what a name of a column means, and the name of a column that shows it.
type columnMeaning struct {
	expr sqlexpr.Expr
	name string
}

// resolveColumn finds what a column means. A name of a select around the subquery is rejected.
func (s *Scope) resolveColumn(c *parse.Column) (columnMeaning, error) {
	m, err := s.resolveOwnColumn(c)
	if err != nil && IsUnknownColumn(err) && s.isOfOuterSelect(c) {
		return columnMeaning{}, sqlerror.New(sqlerror.CodeUnsupported, c.Pos(), "the subquery reads "+planerr.ClipText(pathText(c.Path))+" of the select around it: a correlated subquery has no meaning over the model").
			WithHint("write the condition as field IN (SELECT …), or join the results of two selects")
	}
	if err != nil && IsUnknownColumn(err) {
		err = s.suggestRespelling(err, c, s.columnNames())
	}
	return m, err
}

// isOfOuterSelect reports whether a column means something in a select around the statement's part.
func (s *Scope) isOfOuterSelect(c *parse.Column) bool {
	for outer := s.outer; outer != nil; outer = outer.outer {
		if _, err := outer.resolveOwnColumn(c); !IsUnknownColumn(err) {
			return true
		}
	}
	return false
}

// HasColumn reports whether a column means something, or several things, in the select itself.
func (s *Scope) HasColumn(c *parse.Column) bool {
	_, err := s.resolveOwnColumn(c)
	return !IsUnknownColumn(err)
}

// resolveOwnColumn finds what a column of the select itself means.
func (s *Scope) resolveOwnColumn(c *parse.Column) (columnMeaning, error) {
	if err := s.checkMergedExpressionNodes(c.Pos()); err != nil {
		return columnMeaning{}, err
	}
	name, qualifier := c.Path[len(c.Path)-1], c.Path[:len(c.Path)-1]
	var found []columnMeaning
	var in []int
	named := false
	for i, source := range s.Sources {
		if len(qualifier) > 0 && !source.isMeantByQualifier(qualifier) {
			continue
		}
		named = true
		columns, err := s.meaningsInSource(source, name, c.Pos())
		if err != nil {
			return columnMeaning{}, err
		}
		found = append(found, columns...)
		for range columns {
			in = append(in, i)
		}
	}
	if len(qualifier) == 1 && len(found) == 0 {
		found = s.fieldMeaningsInDataset(qualifier[0], name, c.Pos())
		if s.roles && len(found) == 0 {
			found = append(s.metricMeaningsInDataset(qualifier[0], name, c.Pos()), s.fieldMeaningsInRole(qualifier[0], name, c.Pos())...)
		}
	}
	switch {
	case len(found) == 1, len(found) > 1 && len(qualifier) == 0 && s.areMergedByUsing(name, in):
		return found[0], nil
	case len(found) > 1:
		return columnMeaning{}, s.ambiguousColumnError(c)
	case !named:
		return columnMeaning{}, s.unknownQualifierError(c)
	}
	return columnMeaning{}, s.unknownColumnError(c)
}

// meaningsInSource lists what a bare name means in one source.
func (s *Scope) meaningsInSource(source *Source, name parse.Name, at int) ([]columnMeaning, error) {
	switch {
	case s.results:
		return s.meaningsInResult(source, name, at), nil
	case source.merged != nil:
		return source.merged.findMeanings(name, at)
	}
	var out []columnMeaning
	for _, column := range source.Relation.FindColumns(name) {
		out = append(out, s.meaningOfColumn(column, source, at))
	}
	return out, nil
}

// meaningOfColumn returns the meaning of a column of a relation.
func (s *Scope) meaningOfColumn(column *relations.Column, source *Source, at int) columnMeaning {
	ref := Reference{Column: column.Name}
	switch {
	case column.Metric != nil:
		ref.Kind, ref.Metric = MetricReferenceKind, column.Metric
	case column.Field != nil:
		ref.Kind, ref.Field, ref.Path = FieldReferenceKind, column.Field, column.Path
		if source.Role != nil {
			ref.Path = source.Role
		}
	default:
		ref.Kind = MetricTimeReferenceKind
	}
	return columnMeaning{s.Refs.Add(at, ref), column.Name}
}

// fieldMeaningsInDataset finds dataset.field where the wide relation is a source.
func (s *Scope) fieldMeaningsInDataset(dataset, name parse.Name, at int) []columnMeaning {
	wide := s.WideSource()
	if wide == nil || !wide.keepsAllRelationColumns() {
		return nil
	}
	d := s.Cat.Dataset(dataset.Text)
	if d == nil || dataset.Quoted && d.Name != dataset.Text {
		return nil
	}
	var out []columnMeaning
	for _, column := range s.Schema.RelationOfDataset(d).FindColumns(name) {
		if column.Field != nil && wide.Relation.View != nil {
			if shown := wide.Relation.ColumnOfViewField(catalog.ViewField{Field: column.Field}); shown != nil {
				out = append(out, s.meaningOfColumn(shown, wide, at))
			}
			continue
		}
		if column.Field != nil {
			shown := *column
			if bare := wide.Relation.FindColumns(parse.Name{Text: column.Name, Quoted: true}); len(bare) != 1 || bare[0].Field != column.Field {
				shown.Name = d.Name + "__" + column.Name
			}
			out = append(out, s.meaningOfColumn(&shown, wide, at))
		}
	}
	return out
}

// keepsAllRelationColumns reports whether every column of the relation can be named: no derived table leaves
// one out.
func (s *Source) keepsAllRelationColumns() bool {
	return s.merged == nil || s.merged.starItem() != nil && s.merged.source.keepsAllRelationColumns()
}

// columnNames lists the names of the columns that a select can read.
func (s *Scope) columnNames() []string {
	var out []string
	for _, source := range s.Sources {
		for _, c := range source.columns {
			out = append(out, c.Name)
		}
		if source.merged != nil && !source.keepsAllRelationColumns() {
			for i := range source.merged.items {
				out = append(out, source.merged.itemColumnName(i))
			}
			continue
		}
		for _, c := range source.Relation.Columns {
			if c.Metric == nil || c.Metric.Err == nil {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

func (s *Scope) unknownColumnError(c *parse.Column) error {
	name := c.Path[len(c.Path)-1].Text
	e := sqlerror.New(codeUnknownColumn, c.Pos(), s.relationNamesText()+" has no column "+planerr.ClipText(name))
	e = e.WithCandidates(suggest.Nearest(name, s.columnNames(), sqlerror.MaxCandidates)).WithUnknownName(s.newUnknownName(name, false))
	if !s.results && s.WideSource() == nil && (len(s.Cat.FieldsNamed(name)) > 0 || s.Cat.Metric(name) != nil) {
		if table := s.onlyTable(); table != nil {
			return e.WithSuggestedStatement(s.FormatWithReplacedPart(table, func() parse.Node {
				return &parse.Table{Position: table.Position, Path: []parse.Name{{Text: s.Schema.Wide.Name}}, Alias: table.Alias}
			}))
		}
		e = e.WithHint("another dataset has it: select from " + s.Schema.Wide.Name + ", which has the columns of all datasets")
	}
	return e
}

// suggestRespelling adds to the error of an unknown name the statement with the name of a few that was probably meant.
func (s *Scope) suggestRespelling(err error, c *parse.Column, names []string) error {
	var unknown *sqlerror.Error
	if !errors.As(err, &unknown) || unknown.Statement != "" {
		return err
	}
	last := len(c.Path) - 1
	better, ok := suggest.Respelling(c.Path[last].Text, names)
	if !ok {
		return err
	}
	return unknown.WithSuggestedStatement(s.formatWithReplacedColumn(c, append(slices.Clone(c.Path[:last]), parse.Name{Text: better})))
}

// onlyTable returns the one table that the select is over; nil for joins and derived tables.
func (s *Scope) onlyTable() *parse.Table {
	if len(s.Sources) != 1 {
		return nil
	}
	return s.Sources[0].table
}

func (s *Scope) relationNamesText() string {
	var names []string
	for _, source := range s.Sources {
		names = append(names, source.Relation.Name)
	}
	if len(names) == 1 {
		return "the relation " + names[0]
	}
	return "none of the relations " + strings.Join(names, ", ")
}

func (s *Scope) unknownQualifierError(c *parse.Column) error {
	var names []string
	for _, source := range s.Sources {
		if source.Alias.Text != "" {
			names = append(names, source.Alias.Text)
		} else {
			names = append(names, source.Relation.Name)
		}
	}
	qualifier := pathText(c.Path[:len(c.Path)-1])
	e := sqlerror.New(codeUnknownColumn, c.Pos(), "no relation of FROM is named "+planerr.ClipText(qualifier)).WithSQLState(sqlerror.SQLStateUndefinedTable)
	return e.WithCandidates(suggest.Nearest(qualifier, names, sqlerror.MaxCandidates))
}

// ambiguousColumnError rejects a name of several columns. The retry names the first of them.
func (s *Scope) ambiguousColumnError(c *parse.Column) error {
	name := c.Path[len(c.Path)-1]
	var paths [][]parse.Name
	for _, source := range s.Sources {
		qualifier := parse.Name{Text: source.displayName(), Quoted: source.Alias.Quoted}
		for _, column := range source.columns {
			if MatchesName(parse.Name{Text: column.Name, Quoted: true}, name) {
				paths = append(paths, []parse.Name{qualifier, {Text: column.Name}})
			}
		}
		for _, column := range source.Relation.FindColumns(name) {
			if source.Relation.IsWide() {
				paths = append(paths, []parse.Name{{Text: column.Name}})
			} else {
				paths = append(paths, []parse.Name{qualifier, {Text: column.Name}})
			}
		}
	}
	var candidates []string
	for _, path := range paths {
		candidates = append(candidates, pathText(path))
	}
	e := sqlerror.New(planerr.CodeAmbiguousDimension, c.Pos(), "the name "+planerr.ClipText(name.Text)+" means several columns").WithCandidates(candidates)
	if len(paths) == 0 || len(c.Path) > 1 {
		return e
	}
	return e.WithSuggestedStatement(s.formatWithReplacedColumn(c, paths[0]))
}

// formatWithReplacedColumn returns the statement with another path for a name: wherever the name is in a statement of one select, else
// in the place of c.
func (s *Statement) formatWithReplacedColumn(c *parse.Column, path []parse.Name) string {
	if s.Root == nil {
		return ""
	}
	selects, named := 0, []*parse.Column{}
	parse.Walk(s.Root, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.Select:
			selects++
		case *parse.Column:
			if slices.Equal(n.Path, c.Path) {
				named = append(named, n)
			}
		}
		return true
	})
	if selects > 1 {
		named = []*parse.Column{c}
	}
	var out parse.Node = s.Root
	for _, column := range named {
		out = ReplaceNode(out, column, &parse.Column{Position: column.Position, Path: path})
	}
	return parse.Format(out.(*parse.Query))
}

func (s *Source) displayName() string {
	if s.Alias.Text != "" {
		return s.Alias.Text
	}
	return s.Relation.Name
}

// MatchesName reports whether a reference means a name that the statement declares: without quotes in
// any case, with quotes exactly. A name that was declared without quotes is in lower case.
func MatchesName(declared, reference parse.Name) bool {
	switch {
	case !reference.Quoted:
		return strings.EqualFold(declared.Text, reference.Text)
	case declared.Quoted:
		return declared.Text == reference.Text
	}
	return strings.ToLower(declared.Text) == reference.Text
}

// AliasColumnName returns the name of a column that an alias gives: in lower case without quotes.
func AliasColumnName(alias parse.Name) string {
	if alias.Quoted {
		return alias.Text
	}
	return strings.ToLower(alias.Text)
}

// pathText returns a reference as a message shows it.
func pathText(path []parse.Name) string {
	parts := make([]string, len(path))
	for i, n := range path {
		parts[i] = n.Text
	}
	return strings.Join(parts, ".")
}
