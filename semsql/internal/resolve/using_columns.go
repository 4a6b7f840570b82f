package resolve

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// mergedUsingColumn is a column of USING, which is one column of a join.
type mergedUsingColumn struct {
	name        parse.Name
	left, right sourceIndexRange
}

// readUsingEqualities reads USING: each name is a column of one source of each side. It returns nothing where the names are of several
// sources of one side.
func (s *Scope) readUsingEqualities(step joinStep) ([]joinEqualities, error) {
	var out joinEqualities
	for _, name := range step.join.Using {
		left, l, err := s.sourceWithColumn(step.left, name, step.at)
		if err != nil {
			return nil, err
		}
		right, r, err := s.sourceWithColumn(step.right, name, step.at)
		if err != nil {
			return nil, err
		}
		if len(out.pairs) > 0 && (left != out.left || right != out.right) {
			return nil, nil
		}
		out.left, out.right = left, right
		out.pairs = append(out.pairs, joinFieldEquality{left: s.Refs.ReferenceOf(l).Field, right: s.Refs.ReferenceOf(r).Field})
		s.using = append(s.using, mergedUsingColumn{name: name, left: step.left, right: step.right})
	}
	return []joinEqualities{out}, nil
}

// FindUsingColumns finds the columns of a name of USING in the first of the results and in the others.
func (s *Scope) FindUsingColumns(name parse.Name, first, at int) (left, right sqlexpr.Expr, err error) {
	_, l, err := s.sourceWithColumn(sourceIndexRange{0, first}, name, at)
	if err != nil {
		return nil, nil, err
	}
	_, r, err := s.sourceWithColumn(sourceIndexRange{first, len(s.Sources)}, name, at)
	return l, r, err
}

// sourceWithColumn returns the source of one side of a join with a column of a name. One that USING made of several is that of the
// first of them.
func (s *Scope) sourceWithColumn(side sourceIndexRange, name parse.Name, at int) (source int, column *sqlexpr.Ref, err error) {
	source = -1
	for i := side.first; i < side.end; i++ {
		found := s.columnsInSource(i, name)
		switch {
		case len(found) == 0:
		case len(found) == 1 && source < 0:
			source, column = i, found[0]
		case len(found) > 1 || !s.isMergedByUsing(name, source, i):
			return 0, nil, sqlerror.New(planerr.CodeAmbiguousDimension, at, "the name "+planerr.ClipText(name.Text)+" of USING means several columns of one side")
		}
	}
	if source < 0 {
		return 0, nil, sqlerror.New(codeUnknownColumn, at, "a side of the join has no column "+planerr.ClipText(name.Text)+", which USING names")
	}
	return source, column, nil
}

// columnsInSource lists the columns of a result, or the fields, that a name means in one source.
func (s *Scope) columnsInSource(i int, name parse.Name) []*sqlexpr.Ref {
	found, err := s.meaningsInSource(s.Sources[i], name, 0)
	if err != nil {
		return nil
	}
	var out []*sqlexpr.Ref
	for _, m := range found {
		if ref, ok := m.expr.(*sqlexpr.Ref); ok {
			if kind := s.Refs.ReferenceOf(ref).Kind; kind == FieldReferenceKind || kind == ResultColumnReferenceKind {
				out = append(out, ref)
			}
		}
	}
	return out
}

// isMergedByUsing reports whether the columns of a name in two sources are one column of a join.
func (s *Scope) isMergedByUsing(name parse.Name, a, b int) bool {
	return slices.ContainsFunc(s.using, func(u mergedUsingColumn) bool {
		return MatchesName(u.name, name) && (u.left.containsSource(a) || u.right.containsSource(a)) && (u.left.containsSource(b) || u.right.containsSource(b))
	})
}

// areMergedByUsing reports whether the columns of a name in several sources are one.
func (s *Scope) areMergedByUsing(name parse.Name, sources []int) bool {
	for i, source := range sources {
		if i > 0 && (source == sources[i-1] || !s.isMergedByUsing(name, sources[0], source)) {
			return false
		}
	}
	return true
}

// expandStarOverJoins lists the columns of * over joins in the order of the text, those of USING once and first.
func (s *Scope) expandStarOverJoins(star *parse.Star) ([]SelectItem, error) {
	var out []SelectItem
	for _, r := range s.from {
		columns, err := s.expandStarOfRelation(r, star)
		if err != nil {
			return nil, err
		}
		out = append(out, columns...)
	}
	return out, nil
}

func (s *Scope) expandStarOfRelation(r parse.Relation, star *parse.Star) ([]SelectItem, error) {
	j, ok := r.(*parse.Join)
	if !ok {
		i := slices.IndexFunc(s.Sources, func(source *Source) bool { return source.syntax == r })
		return s.sourceColumnItems(s.Sources[i], star)
	}
	left, err := s.expandStarOfRelation(j.Left, star)
	if err != nil {
		return nil, err
	}
	right, err := s.expandStarOfRelation(j.Right, star)
	if err != nil {
		return nil, err
	}
	var merged []SelectItem
	for _, name := range j.Using {
		isNamed := func(item SelectItem) bool { return MatchesName(parse.Name{Text: item.Name, Quoted: true}, name) }
		kept := left
		if j.Kind == parse.RightJoin {
			kept = right
		}
		if i := slices.IndexFunc(kept, isNamed); i >= 0 {
			merged = append(merged, kept[i])
		}
		left, right = slices.DeleteFunc(left, isNamed), slices.DeleteFunc(right, isNamed)
	}
	return slices.Concat(merged, left, right), nil
}
