package resolve

import (
	"errors"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// SuggestConditionRetry adds a retry to the error of an unknown name in a condition, which is the query's key. A name in
// double quotes, and a bare word beside = or in IN, that is compared with a field was meant as a string: region = "north",
// region = north. Any other name is respelled where the error has a respelling. The retry replaces the condition and fixes
// every such string in it. isResult reports whether a name is a result column of the query.
func (r *Resolver) SuggestConditionRetry(err error, at *sqlexpr.Column, key string, condition sqlexpr.Expr, isResult func(name string) bool) error {
	var unknown *planerr.Error
	if !errors.As(err, &unknown) || unknown.Fragment != nil {
		return err
	}
	isQuoted := isDoubleQuotedName(at)
	if unknown.Respelling != "" && !isQuoted {
		unknown.Fragment = map[string]any{key: PrintWithRespelledColumns(condition, unknown.Respelling, func(c *sqlexpr.Column) bool { return c == at })}
		return unknown
	}
	if unknown.Code != planerr.CodeUnknownDimension || len(at.Path) != 1 {
		return err
	}
	q := nameToStringReplacer{
		knows:    func(path []sqlexpr.Name) bool { return r.isKnownName(path, isResult) },
		replaced: map[*sqlexpr.Column]bool{},
	}
	mended := sqlexpr.Rewrite(condition, q.replaceInNode)
	if !q.replaced[at] {
		return err
	}
	if !isQuoted {
		unknown.BareText = at.Path[0].Text
	}
	unknown.Message += "; a string is written in single quotes: " + planerr.ClipText(sqlexpr.Format(columnAsStringLiteral(at)))
	unknown.Fragment = map[string]any{key: sqlexpr.Format(mended)}
	return unknown
}

// PrintWithRespelledColumns returns the text of an expression with some of its names spelled another way.
func PrintWithRespelledColumns(e sqlexpr.Expr, spelling string, matches func(*sqlexpr.Column) bool) string {
	parts, err := SplitPath(spelling)
	if err != nil {
		return sqlexpr.Format(e)
	}
	path := make([]sqlexpr.Name, len(parts))
	for i, p := range parts {
		path[i].Text = p
	}
	return sqlexpr.Format(sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		if c, ok := x.(*sqlexpr.Column); ok && matches(c) {
			return &sqlexpr.Column{Position: c.Position, Path: path}
		}
		return nil
	}))
}

// isKnownName reports whether a path names a field, a metric or a result column. It does
// not decide whether the query reaches what is named.
func (r *Resolver) isKnownName(path []sqlexpr.Name, isResult func(name string) bool) bool {
	first := path[0].Text
	switch {
	case len(path) == 1:
		return len(r.Cat.FieldsNamed(first)) > 0 || r.Cat.Metric(first) != nil || isResult(first)
	case len(path) == 2 && r.Cat.Dataset(first) != nil:
		return r.Cat.FindDatasetField(r.Cat.Dataset(first), path[1].Text) != nil
	}
	return r.Cat.Relationship(first) != nil
}

func isDoubleQuotedName(c *sqlexpr.Column) bool { return len(c.Path) == 1 && c.Path[0].Quoted }

func columnAsStringLiteral(c *sqlexpr.Column) *sqlexpr.String {
	return &sqlexpr.String{Position: c.Position, Value: c.Path[0].Text}
}

// nameToStringReplacer replaces unknown names by strings where they are compared with something known.
type nameToStringReplacer struct {
	knows    func(path []sqlexpr.Name) bool
	replaced map[*sqlexpr.Column]bool
}

// replaceInNode is for sqlexpr.Rewrite.
func (q *nameToStringReplacer) replaceInNode(e sqlexpr.Expr) sqlexpr.Expr {
	isMeant := isDoubleQuotedName
	if isEqualityOrIn(e) {
		isMeant = func(c *sqlexpr.Column) bool { return len(c.Path) == 1 }
	}
	replace := func(all ...sqlexpr.Expr) []sqlexpr.Expr { return q.replaceInOperands(isMeant, all) }
	mended := sqlexpr.ReplaceComparedValues(e, replace)
	if like, ok := e.(*sqlexpr.Like); ok {
		if x := replace(like.X, like.Pattern); x != nil {
			mended = &sqlexpr.Like{Position: like.Position, Not: like.Not, Fold: like.Fold, X: x[0], Pattern: x[1], Escape: like.Escape}
		}
	}
	if mended == nil {
		return nil
	}
	return sqlexpr.Rewrite(mended, q.replaceInNode)
}

// isEqualityOrIn reports whether a condition compares with single values.
func isEqualityOrIn(e sqlexpr.Expr) bool {
	if b, ok := e.(*sqlexpr.Binary); ok {
		return b.Op == sqlexpr.OpEq || b.Op == sqlexpr.OpNe
	}
	_, isIn := e.(*sqlexpr.In)
	return isIn
}

// replaceInOperands returns the operands of one comparison with strings in place of unknown
// names; nil where there are none, or where nothing beside them is known.
func (q *nameToStringReplacer) replaceInOperands(isMeant func(*sqlexpr.Column) bool, all []sqlexpr.Expr) []sqlexpr.Expr {
	out := make([]sqlexpr.Expr, len(all))
	known, changed := false, false
	for i, e := range all {
		out[i] = e
		c, ok := e.(*sqlexpr.Column)
		if ok && isMeant(c) && !q.knows(c.Path) {
			out[i], changed = columnAsStringLiteral(c), true
			continue
		}
		for _, c := range sqlexpr.ColumnReferences(e) {
			known = known || q.knows(c.Path)
		}
	}
	if !known || !changed {
		return nil
	}
	for i, e := range all {
		if c, ok := e.(*sqlexpr.Column); ok && out[i] != e {
			q.replaced[c] = true
		}
	}
	return out
}
