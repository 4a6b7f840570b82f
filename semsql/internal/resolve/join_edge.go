package resolve

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// joinFieldEquality is an equality between a field of one side of a join and one of the other.
type joinFieldEquality struct{ left, right *catalog.Field }

// joinEqualities are the equalities of a join, all between the same two sources.
type joinEqualities struct {
	left, right int // of Sources; -1 without an equality
	pairs       []joinFieldEquality
}

// findJoinEdge finds the relationship that a join follows.
func (s *Scope) findJoinEdge(step joinStep) (joinEdge, error) {
	if step.join != nil && (step.join.Natural || step.kind != parse.InnerJoin && step.kind != parse.LeftJoin) {
		return joinEdge{}, s.undeclaredJoinError(step)
	}
	on, err := s.readJoinEqualities(step)
	if err != nil {
		return joinEdge{}, err
	}
	if len(on.pairs) == 0 {
		return joinEdge{}, s.undeclaredJoinError(step)
	}
	inner := step.kind == parse.InnerJoin
	var found []joinEdge
	left, right := s.Sources[on.left].Relation.Dataset, s.Sources[on.right].Relation.Dataset
	for _, rel := range s.Cat.Relationships {
		switch {
		case rel.Err != nil:
		case rel.From == left && rel.To == right && equalsRelationshipKey(rel, on.pairs, false):
			found = append(found, joinEdge{from: on.left, to: on.right, rel: rel, inner: inner})
		case rel.From == right && rel.To == left && equalsRelationshipKey(rel, on.pairs, true):
			found = append(found, joinEdge{from: on.right, to: on.left, rel: rel, inner: inner})
		}
	}
	switch len(found) {
	case 0:
		step.left, step.right = sourceIndexRange{on.left, on.left + 1}, sourceIndexRange{on.right, on.right + 1}
		return joinEdge{}, s.undeclaredJoinError(step)
	case 1:
		return found[0], s.checkJoinKeepsModelRows(found[0], on, step)
	}
	var names []string
	for _, e := range found {
		names = append(names, e.rel.Name)
	}
	return joinEdge{}, sqlerror.New(planerr.CodeAmbiguousJoinPath, step.at, "several relationships join "+left.Name+" and "+right.Name+" on these columns").WithCandidates(names)
}

// equalsRelationshipKey reports whether the equalities are exactly the columns of a relationship.
func equalsRelationshipKey(rel *catalog.Relationship, pairs []joinFieldEquality, reverse bool) bool {
	if len(rel.FromFields) != len(pairs) {
		return false
	}
	for i := range rel.FromFields {
		want := joinFieldEquality{left: rel.FromFields[i], right: rel.ToFields[i]}
		if reverse {
			want = joinFieldEquality{left: rel.ToFields[i], right: rel.FromFields[i]}
		}
		if !slices.Contains(pairs, want) {
			return false
		}
	}
	return true
}

// checkJoinKeepsModelRows rejects joins along a relationship that would keep other rows than the model. The retry joins the rows as
// results, which keeps those that LEFT JOIN keeps.
func (s *Scope) checkJoinKeepsModelRows(e joinEdge, on joinEqualities, step joinStep) error {
	var why string
	var keeps bool
	switch {
	case e.rel.Valid != nil:
		why = "the rows of " + e.rel.To.Name + " are valid for a time, so the equality alone repeats rows"
	case step.kind == parse.LeftJoin && e.from == on.right:
		why, keeps = "LEFT JOIN keeps the rows of "+e.rel.To.Name+", and the relationship "+e.rel.Name+" leads from "+e.rel.From.Name, true
	case step.kind == parse.LeftJoin && e.rel.JoinType == catalog.JoinInner:
		why, keeps = "the relationship "+e.rel.Name+" drops the rows that LEFT JOIN keeps", true
	case !e.rel.SafeForward():
		why = "the relationship " + e.rel.Name + " repeats rows of " + e.rel.From.Name
	default:
		return nil
	}
	refused := sqlerror.New(sqlerror.CodeUnsupported, step.at, why)
	if !keeps {
		return refused
	}
	return refused.WithHint("select from " + s.Schema.Wide.Name + ", where metrics of several datasets meet on their groups").WithSuggestedStatement(s.suggestedDerivedTableJoin(e))
}

// readJoinEqualities reads the equalities of a join: those of ON or USING, or of WHERE after a comma.
func (s *Scope) readJoinEqualities(step joinStep) (joinEqualities, error) {
	out := joinEqualities{left: -1, right: -1}
	if step.join != nil && len(step.join.Using) > 0 {
		return s.readUsingEqualities(step)
	}
	conds := s.where
	if step.join != nil {
		conds = SplitConjuncts(step.join.On)
	}
	var rest []parse.Expr
	for _, cond := range conds {
		one, ok, err := s.readJoinEquality(step, cond)
		switch {
		case err != nil:
			return out, err
		case ok && (len(out.pairs) == 0 || out.left == one.left && out.right == one.right):
			out.left, out.right = one.left, one.right
			out.pairs = append(out.pairs, one.pairs...)
		case step.join != nil:
			return out, s.undeclaredJoinError(step)
		default:
			rest = append(rest, cond)
		}
	}
	if step.join == nil {
		s.where = rest
	}
	return out, nil
}

// readJoinEquality reads an equality between a field of one side and one of the other.
func (s *Scope) readJoinEquality(step joinStep, cond parse.Expr) (on joinEqualities, ok bool, err error) {
	b, isBinary := cond.(*parse.Binary)
	if !isBinary || b.Op != sqlexpr.OpEq {
		return on, false, nil
	}
	left, leftField, ok, err := s.sourceAndFieldOf(b.L)
	if !ok || err != nil {
		return on, false, err
	}
	right, rightField, ok, err := s.sourceAndFieldOf(b.R)
	if !ok || err != nil {
		return on, false, err
	}
	switch {
	case step.left.containsSource(left) && step.right.containsSource(right):
		return joinEqualities{left, right, []joinFieldEquality{{leftField, rightField}}}, true, nil
	case step.left.containsSource(right) && step.right.containsSource(left):
		return joinEqualities{right, left, []joinFieldEquality{{rightField, leftField}}}, true, nil
	}
	return on, false, nil
}

// sourceAndFieldOf returns the source and the field that a column means; ok is false for any other expression.
func (s *Scope) sourceAndFieldOf(e parse.Expr) (source int, f *catalog.Field, ok bool, err error) {
	c, isColumn := e.(*parse.Column)
	if !isColumn {
		return 0, nil, false, nil
	}
	if _, err := s.resolveColumn(c); err != nil {
		return 0, nil, false, err
	}
	for i := range s.Sources {
		alone := *s
		alone.Sources = s.Sources[i : i+1]
		m, err := alone.resolveColumn(c)
		if err != nil {
			continue
		}
		if ref, isRef := m.expr.(*sqlexpr.Ref); isRef {
			if r := s.Refs.ReferenceOf(ref); r.Kind == FieldReferenceKind {
				return i, r.Field, true, nil
			}
		}
	}
	return 0, nil, false, nil
}

// undeclaredJoinError rejects a join that is not along a relationship. The retry joins along the first one between the two.
func (s *Scope) undeclaredJoinError(step joinStep) error {
	edges := s.possibleJoinEdges(step)
	var names []string
	for _, e := range edges {
		names = append(names, e.rel.Name)
	}
	e := sqlerror.New(sqlerror.CodeJoinNotDeclared, step.at, "the join is not on the columns of a relationship of the model").WithCandidates(names)
	if len(names) == 0 {
		return e.WithHint("no relationship of the model joins the two")
	}
	e = e.WithHint("ON " + parse.Format(s.conditionOfDeclaredRelationship(edges[0])))
	if step.join == nil {
		return e.WithSuggestedStatement(s.FormatWithReplacedPart(s.syntax, func() parse.Node {
			joined := *s.syntax
			joined.Where = AndConditions(s.conditionOfDeclaredRelationship(edges[0]), s.syntax.Where)
			return &joined
		}))
	}
	return e.WithSuggestedStatement(s.FormatWithReplacedPart(step.join, func() parse.Node {
		declared := *step.join
		declared.On, declared.Using, declared.Natural = s.conditionOfDeclaredRelationship(edges[0]), nil, false
		if step.kind != parse.LeftJoin {
			declared.Kind = parse.InnerJoin
		}
		return &declared
	}))
}

// possibleJoinEdges returns the relationships between the two sides of a join.
func (s *Scope) possibleJoinEdges(step joinStep) []joinEdge {
	var out []joinEdge
	for l := step.left.first; l < step.left.end; l++ {
		for r := step.right.first; r < step.right.end; r++ {
			a, b := s.Sources[l].Relation.Dataset, s.Sources[r].Relation.Dataset
			for _, rel := range s.Cat.Relationships {
				switch {
				case rel.Err != nil:
				case rel.From == a && rel.To == b:
					out = append(out, joinEdge{from: l, to: r, rel: rel})
				case rel.From == b && rel.To == a:
					out = append(out, joinEdge{from: r, to: l, rel: rel})
				}
			}
		}
	}
	return out
}

// conditionOfDeclaredRelationship returns the condition that joins along a relationship.
func (s *Scope) conditionOfDeclaredRelationship(e joinEdge) parse.Expr {
	var out parse.Expr
	column := func(source int, f *catalog.Field) parse.Expr {
		return &parse.Column{Path: []parse.Name{{Text: s.Sources[source].displayName(), Quoted: s.Sources[source].Alias.Quoted}, {Text: f.Name}}}
	}
	for i := range e.rel.FromFields {
		var equal parse.Expr = &parse.Binary{Op: sqlexpr.OpEq, L: column(e.from, e.rel.FromFields[i]), R: column(e.to, e.rel.ToFields[i])}
		if out == nil {
			out = equal
		} else {
			out = &parse.Binary{Op: sqlexpr.OpAnd, L: out, R: equal}
		}
	}
	return out
}
