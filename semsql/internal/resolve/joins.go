package resolve

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// sourceIndexRange is a range of Sources: those of one side of a join.
type sourceIndexRange struct{ first, end int }

func (p sourceIndexRange) containsSource(source int) bool { return p.first <= source && source < p.end }

func (p sourceIndexRange) shiftedBy(n int) sourceIndexRange {
	return sourceIndexRange{p.first + n, p.end + n}
}

// joinStep joins the sources of two sides. LEFT keeps the rows of left.
type joinStep struct {
	left, right sourceIndexRange
	kind        parse.JoinKind
	join        *parse.Join // nil after a comma, whose equality is in WHERE
	at          int
}

// joinEdge is a join along a relationship, from the source with the many rows to the other.
type joinEdge struct {
	from, to int // of Sources
	rel      *catalog.Relationship
	inner    bool
}

// resolveJoins resolves several relations of FROM. Equalities of WHERE that join relations after a comma are taken.
func (s *Scope) resolveJoins(from []parse.Relation, depth int) error {
	var f joinFlattener
	var all sourceIndexRange
	for i, r := range from {
		part, err := f.flattenRelation(r)
		if err != nil {
			return err
		}
		if i > 0 {
			f.steps = append(f.steps, joinStep{left: all, right: part, at: r.Pos()})
		}
		all.end = part.end
	}
	s.Joined, s.from = true, from
	for _, r := range f.relations {
		source, err := s.newSource(r, depth)
		if err != nil {
			return err
		}
		if source.Relation.IsWide() {
			return sqlerror.New(sqlerror.CodeUnsupported, r.Pos(), "the relation "+source.Relation.Name+" has all columns: it joins nothing").
				WithHint("select the columns from " + source.Relation.Name + " alone")
		}
		source.syntax = r
		s.Sources = append(s.Sources, source)
	}
	var edges []joinEdge
	for _, step := range f.steps {
		edge, err := s.findJoinEdge(step)
		if err != nil {
			return err
		}
		edges = append(edges, edge)
	}
	return s.findJoinRootAndPaths(edges, from)
}

// joinFlattener lists the relations of FROM and the joins between them. RIGHT is LEFT with exchanged sides.
type joinFlattener struct {
	relations []parse.Relation
	steps     []joinStep
}

func (f *joinFlattener) flattenRelation(r parse.Relation) (sourceIndexRange, error) {
	j, ok := r.(*parse.Join)
	if !ok {
		f.relations = append(f.relations, r)
		return sourceIndexRange{len(f.relations) - 1, len(f.relations)}, nil
	}
	left, right, kind := j.Left, j.Right, j.Kind
	if kind == parse.RightJoin {
		left, right, kind = j.Right, j.Left, parse.LeftJoin
	}
	step := joinStep{kind: kind, join: j, at: j.Pos()}
	var err error
	if step.left, err = f.flattenRelation(left); err != nil {
		return sourceIndexRange{}, err
	}
	inside := len(f.steps)
	if step.right, err = f.flattenRelation(right); err != nil {
		return sourceIndexRange{}, err
	}
	if kind == parse.LeftJoin && slices.ContainsFunc(f.steps[inside:], func(inner joinStep) bool { return inner.kind == parse.InnerJoin }) {
		return sourceIndexRange{}, sqlerror.New(sqlerror.CodeUnsupported, right.Pos(), "an INNER JOIN inside of the other side of a LEFT JOIN drops the partners of rows, and not the rows").
			WithHint("write LEFT JOINs one after the other")
	}
	f.steps = append(f.steps, step)
	return sourceIndexRange{step.left.first, step.right.end}, nil
}

// findJoinRootAndPaths finds the root of the joins, and the path from it to each source.
func (s *Scope) findJoinRootAndPaths(edges []joinEdge, from []parse.Relation) error {
	incoming := make([]int, len(s.Sources))
	for _, e := range edges {
		incoming[e.to]++
	}
	root := -1
	for i, n := range incoming {
		if n == 0 && root < 0 {
			root = i
		} else if n != 1 {
			return s.noJoinRootError(from)
		}
	}
	if root < 0 {
		return s.noJoinRootError(from)
	}
	s.Root = s.Sources[root].Relation.Dataset
	paths := make([][]catalog.JoinStep, len(s.Sources))
	known := map[int]bool{root: true}
	for len(known) < len(s.Sources) {
		before := len(known)
		for _, e := range edges {
			if known[e.from] && !known[e.to] {
				paths[e.to] = append(append([]catalog.JoinStep(nil), paths[e.from]...), catalog.JoinStep{Rel: e.rel})
				known[e.to] = true
			}
		}
		if len(known) == before {
			return s.noJoinRootError(from)
		}
	}
	for i, source := range s.Sources {
		source.setRolePath(s.rolePathOf(i, paths[i]))
	}
	for _, e := range edges {
		if key := e.plainTargetKey(); e.inner && key != nil {
			s.Conditions = append(s.Conditions, s.partnerExistsCondition(e, key, paths[e.to]))
		}
	}
	return nil
}

// rolePathOf returns the path of a source, nil where a name without a prefix follows that path.
func (s *Scope) rolePathOf(i int, path []catalog.JoinStep) []catalog.JoinStep {
	if len(path) == 0 {
		return nil
	}
	d := s.Sources[i].Relation.Dataset
	if paths := s.Cat.SafePaths(s.Root, d, 2); d != s.Root && len(paths) == 1 && slices.Equal(paths[0], path) {
		return nil
	}
	return path
}

// setRolePath gives the source, and the relation below its merged tables, the path that leads to it.
func (s *Source) setRolePath(path []catalog.JoinStep) {
	for at := s; at != nil; at = at.sourceBelowInlinedTable() {
		at.Role = path
	}
}

// sourceBelowInlinedTable returns the source that a merged table reads; nil for a relation.
func (s *Source) sourceBelowInlinedTable() *Source {
	if s.merged == nil {
		return nil
	}
	return s.merged.source
}

// plainTargetKey returns a column that an edge joins to, whose values are NULL without a partner; nil where masks hide them all.
func (e joinEdge) plainTargetKey() *catalog.Field {
	if i := slices.IndexFunc(e.rel.ToFields, func(f *catalog.Field) bool { return e.rel.To.VisibleField(f) == f }); i >= 0 {
		return e.rel.ToFields[i]
	}
	return nil
}

// partnerExistsCondition returns the condition that a row has a partner.
func (s *Scope) partnerExistsCondition(e joinEdge, key *catalog.Field, path []catalog.JoinStep) sqlexpr.Expr {
	ref := Reference{Kind: FieldReferenceKind, Field: key, Column: key.Name, Path: s.rolePathOf(e.to, path)}
	return &sqlexpr.IsNull{Not: true, X: s.Refs.Add(0, ref)}
}

func (s *Scope) noJoinRootError(from []parse.Relation) error {
	return sqlerror.New(planerr.CodeNoJoinPath, from[0].Pos(), "no relation of FROM leads to all others along the relationships of the joins").
		WithHint(s.selectFromWideHint())
}

func (s *Scope) selectFromWideHint() string {
	return "select from " + s.Schema.Wide.Name + ", where metrics of several datasets meet on their groups"
}
