package resolve

import (
	"errors"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// SuggestSingleQuotes adds a retry to the error of a name in double quotes that a
// condition compares with a field: region = "north" was meant as region = 'north'.
// The retry replaces the condition, which is the query's key, and fixes every such
// name in it. isResult reports whether a name is a result column of the query.
func (r *Resolver) SuggestSingleQuotes(err error, at *sqlexpr.Column, key string, condition sqlexpr.Expr, isResult func(name string) bool) error {
	var unknown *planerr.Error
	if !errors.As(err, &unknown) || unknown.Code != planerr.CodeUnknownDimension || !isDoubleQuotedName(at) {
		return err
	}
	q := quotedNameToStringReplacer{
		knows:    func(path []sqlexpr.Name) bool { return r.isKnownName(path, isResult) },
		replaced: map[*sqlexpr.Column]bool{},
	}
	mended := sqlexpr.Rewrite(condition, q.replaceInNode)
	if !q.replaced[at] {
		return err
	}
	unknown.Message += "; a string is written in single quotes: " + planerr.ClipText(sqlexpr.Format(columnAsStringLiteral(at)))
	unknown.Fragment = map[string]any{key: sqlexpr.Format(mended)}
	return unknown
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

// quotedNameToStringReplacer replaces unknown names in double quotes by strings where they are compared
// with something known.
type quotedNameToStringReplacer struct {
	knows    func(path []sqlexpr.Name) bool
	replaced map[*sqlexpr.Column]bool
}

// replaceInNode is for sqlexpr.Rewrite.
func (q *quotedNameToStringReplacer) replaceInNode(e sqlexpr.Expr) sqlexpr.Expr {
	mended := sqlexpr.ReplaceComparedValues(e, q.replaceInOperands)
	if like, ok := e.(*sqlexpr.Like); ok {
		if x := q.replaceInOperands(like.X, like.Pattern); x != nil {
			mended = &sqlexpr.Like{Position: like.Position, Not: like.Not, Fold: like.Fold, X: x[0], Pattern: x[1], Escape: like.Escape}
		}
	}
	if mended == nil {
		return nil
	}
	return sqlexpr.Rewrite(mended, q.replaceInNode)
}

// replaceInOperands returns the operands of one comparison with strings in place of unknown
// names; nil where there are none, or where nothing beside them is known.
func (q *quotedNameToStringReplacer) replaceInOperands(all ...sqlexpr.Expr) []sqlexpr.Expr {
	out := make([]sqlexpr.Expr, len(all))
	known, changed := false, false
	for i, e := range all {
		out[i] = e
		c, ok := e.(*sqlexpr.Column)
		if ok && isDoubleQuotedName(c) && !q.knows(c.Path) {
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
