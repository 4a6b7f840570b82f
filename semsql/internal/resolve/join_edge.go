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
type joinFieldEquality struct {
	left, right *catalog.Field
	cond        parse.Expr // nil for USING
}

// joinEqualities are the equalities of a join between the same two sources.
type joinEqualities struct {
	left, right int // of Sources
	pairs       []joinFieldEquality
}

// findJoinEdge finds the relationship that a join follows. Further conditions of an INNER JOIN are conditions of WHERE.
func (s *Scope) findJoinEdge(step joinStep) (joinEdge, error) {
	if step.join != nil && (step.join.Natural || step.kind != parse.InnerJoin && step.kind != parse.LeftJoin) {
		return joinEdge{}, s.undeclaredJoinError(step)
	}
	groups, err := s.readJoinEqualities(step)
	if err != nil {
		return joinEdge{}, err
	}
	for _, on := range groups {
		found := s.relationshipsOnEqualities(on, step)
		switch len(found) {
		case 0:
			continue
		case 1:
			if err := s.checkJoinKeepsModelRows(found[0], on, step); err != nil {
				return joinEdge{}, err
			}
			return found[0], s.takeJoinConditions(found[0], on, step)
		}
		var names []string
		for _, e := range found {
			names = append(names, e.rel.Name)
		}
		left, right := s.Sources[on.left].Relation, s.Sources[on.right].Relation
		return joinEdge{}, sqlerror.New(planerr.CodeAmbiguousJoinPath, step.at, "several relationships join "+left.Name+" and "+right.Name+" on these columns").WithCandidates(names)
	}
	if len(groups) == 1 {
		step.left, step.right = sourceIndexRange{groups[0].left, groups[0].left + 1}, sourceIndexRange{groups[0].right, groups[0].right + 1}
	}
	return joinEdge{}, s.undeclaredJoinError(step)
}

// relationshipsOnEqualities returns the relationships whose columns are all among the equalities, of these those with the most columns.
func (s *Scope) relationshipsOnEqualities(on joinEqualities, step joinStep) []joinEdge {
	inner := step.kind == parse.InnerJoin
	left, right := s.Sources[on.left].Relation.Dataset, s.Sources[on.right].Relation.Dataset
	var found []joinEdge
	for _, rel := range s.Cat.Relationships {
		edge := joinEdge{from: on.left, to: on.right, rel: rel, inner: inner}
		switch {
		case rel.Err != nil || catalog.HidesColumnsOf(rel):
			continue
		case rel.From == left && rel.To == right && len(edge.equalitiesOfKey(on)) > 0:
		case rel.From == right && rel.To == left:
			edge.from, edge.to = on.right, on.left
			if len(edge.equalitiesOfKey(on)) == 0 {
				continue
			}
		default:
			continue
		}
		switch {
		case len(found) == 0 || len(rel.FromFields) > len(found[0].rel.FromFields):
			found = []joinEdge{edge}
		case len(rel.FromFields) == len(found[0].rel.FromFields):
			found = append(found, edge)
		}
	}
	return found
}

// equalitiesOfKey returns the places of the equalities on the columns of the relationship; nil where one is missing.
func (e joinEdge) equalitiesOfKey(on joinEqualities) []int {
	var out []int
	for i := range e.rel.FromFields {
		left, right := e.rel.From.VisibleField(e.rel.FromFields[i]), e.rel.To.VisibleField(e.rel.ToFields[i])
		if e.from != on.left {
			left, right = right, left
		}
		at := slices.IndexFunc(on.pairs, func(p joinFieldEquality) bool { return p.left == left && p.right == right })
		if at < 0 {
			return nil
		}
		out = append(out, at)
	}
	return out
}

// takeJoinConditions takes the equalities of a relationship from the conditions of a join. The others are conditions of WHERE.
func (s *Scope) takeJoinConditions(e joinEdge, on joinEqualities, step joinStep) error {
	taken := map[parse.Expr]bool{}
	of := e.equalitiesOfKey(on)
	for _, at := range of {
		taken[on.pairs[at].cond] = true
	}
	isTaken := func(cond parse.Expr) bool { return taken[cond] }
	switch {
	case step.join == nil:
		s.where = slices.DeleteFunc(slices.Clone(s.where), isTaken)
		return nil
	case len(step.join.Using) > 0 && len(of) < len(on.pairs):
		return s.undeclaredJoinError(step)
	}
	rest := slices.DeleteFunc(SplitConjuncts(step.join.On), isTaken)
	if len(rest) == 0 {
		return nil
	}
	if step.kind == parse.LeftJoin {
		return s.leftJoinConditionError(e, on, step, rest)
	}
	s.where = append(slices.Clone(s.where), rest...)
	return nil
}

// leftJoinConditionError rejects a condition of LEFT JOIN beside the columns of the relationship, which drops partners and not rows. The
// retry filters the partners in a derived table, if the condition reads them alone.
func (s *Scope) leftJoinConditionError(e joinEdge, on joinEqualities, step joinStep, rest []parse.Expr) error {
	right := s.Sources[on.right]
	refused := sqlerror.New(sqlerror.CodeUnsupported, rest[0].Pos(), "a condition of LEFT JOIN beside the columns of the relationship drops partners and not rows").
		WithHint("join a derived table of " + right.Relation.Name + " that has the condition in WHERE and ends with OFFSET 0, or write the condition in WHERE, which drops the rows")
	for _, cond := range rest {
		if !s.readsSourceAlone(cond, on.right) {
			return refused
		}
	}
	return refused.WithSuggestedStatement(s.suggestedDerivedTableJoin(e, derivedTableCondition{source: on.right, join: step.join, conds: rest}))
}

// readsSourceAlone reports whether an expression reads columns of one source and no subquery.
func (s *Scope) readsSourceAlone(e parse.Expr, source int) bool {
	alone := true
	parse.Walk(e, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.Query:
			alone = false
		case *parse.Column:
			i, _, ok, err := s.sourceAndFieldOf(n)
			alone = alone && ok && err == nil && i == source
		}
		return alone
	})
	return alone
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
	case e.inner && e.rel.JoinType != catalog.JoinInner && e.plainTargetKey() == nil:
		return sqlerror.New(sqlerror.CodeUnsupported, step.at, "a mask hides the key of "+e.rel.To.Name+", so nothing shows which rows have a partner").WithHint("LEFT JOIN keeps all rows")
	case !e.rel.SafeForward():
		why = "the relationship " + e.rel.Name + " repeats rows of " + e.rel.From.Name
	default:
		return nil
	}
	refused := sqlerror.New(sqlerror.CodeUnsupported, step.at, why)
	if !keeps {
		return refused
	}
	return refused.WithHint(s.selectFromWideHint()).WithSuggestedStatement(s.suggestedDerivedTableJoin(e, derivedTableCondition{}))
}

// readJoinEqualities reads the equalities of a join: those of ON or USING, or of WHERE after a comma.
func (s *Scope) readJoinEqualities(step joinStep) ([]joinEqualities, error) {
	if step.join != nil && len(step.join.Using) > 0 {
		return s.readUsingEqualities(step)
	}
	conds := s.where
	if step.join != nil {
		conds = SplitConjuncts(step.join.On)
	}
	var out []joinEqualities
	for _, cond := range conds {
		one, ok, err := s.readJoinEquality(step, cond)
		if err != nil {
			return out, err
		}
		if !ok {
			continue
		}
		at := slices.IndexFunc(out, func(known joinEqualities) bool { return known.left == one.left && known.right == one.right })
		if at < 0 {
			out = append(out, one)
			continue
		}
		out[at].pairs = append(out[at].pairs, one.pairs...)
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
		return joinEqualities{left, right, []joinFieldEquality{{leftField, rightField, cond}}}, true, nil
	case step.left.containsSource(right) && step.right.containsSource(left):
		return joinEqualities{right, left, []joinFieldEquality{{rightField, leftField, cond}}}, true, nil
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
	edges = slices.DeleteFunc(edges, func(e joinEdge) bool { return catalog.HidesColumnsOf(e.rel) })
	e := sqlerror.New(sqlerror.CodeJoinNotDeclared, step.at, "the join is not on the columns of a relationship of the model").WithCandidates(names)
	switch {
	case len(names) == 0:
		return e.WithHint("no relationship of the model joins the two")
	case len(edges) == 0:
		return e.WithHint("no column names what the relationship joins on: " + s.selectFromWideHint())
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
		for _, cond := range SplitConjuncts(step.join.On) {
			if _, isEquality, err := s.readJoinEquality(step, cond); !isEquality && err == nil {
				declared.On = AndConditions(declared.On, cond)
			}
		}
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
