package compile

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// predicateScope holds the fields that a payload's predicate may name.
type predicateScope struct {
	*compiler
	key    string // the payload key, for hints
	params []extension.Param
	home   *dataset
	strict bool // fields of home only
}

// resolvePredicate resolves the names of a payload's predicate to fields. Slots stay.
func (c *compiler) resolvePredicate(e *extension.Expr, scope predicateScope) (sqlexpr.Expr, *modelspec.CompileError) {
	var first *modelspec.CompileError
	out := sqlexpr.Rewrite(e.Expr, func(n sqlexpr.Expr) sqlexpr.Expr {
		column, ok := n.(*sqlexpr.Column)
		if !ok {
			return nil
		}
		f, err := scope.resolve(column)
		if err == nil {
			err = f.cat.Err
		}
		if err != nil {
			if err.Location == "" {
				err.Location, err.Position = e.Location, e.Position
			}
			if first == nil {
				first = err
			}
			c.recordError(err)
			return n
		}
		return &sqlexpr.Ref{At: column.At, ID: f.cat.ID}
	})
	if first != nil {
		return nil, first
	}
	leaf := func(n sqlexpr.Expr) sqlexpr.Type {
		if p, ok := n.(*sqlexpr.Param); ok {
			return paramType(scope.params, p.Name)
		}
		return c.typeOfLeaf(n)
	}
	if t := sqlexpr.TypeOf(out, leaf); t != sqlexpr.TypeUnknown && t != sqlexpr.TypeBool {
		return nil, c.addError(invalidAt(e.Place, scope.key, "%s is a %s, not a condition", quoteExcerpt(e.Text), t))
	}
	return sqlexpr.ResolveOperatorTypes(out, leaf), nil
}

// resolve finds the field that a name in the predicate stands for: the home's
// own first.
func (s predicateScope) resolve(column *sqlexpr.Column) (*field, *modelspec.CompileError) {
	last := column.Path[len(column.Path)-1]
	if len(column.Path) == 1 {
		if f := s.home.findField(last); f != nil {
			return f, nil
		}
	}
	f, err := s.resolveField(column)
	if err != nil {
		return nil, s.danglingError(column, err)
	}
	if s.strict && f.ds != s.home {
		return nil, &modelspec.CompileError{
			Code:    extension.CodeNotImplemented,
			Message: fmt.Sprintf("%s belongs to %s; a filter uses the fields of the base's own dataset, %s", quoteExpr(column), f.ds.cat.Name, s.home.cat.Name),
			Hint:    fmt.Sprintf("%s; or filter in the query with where_sql; see %s", sourceHint(s.home.cat, f.ds.cat), extension.Anchor(s.key)),
		}
	}
	return f, nil
}

// danglingError restates a resolution error: in a payload every name that stands for
// nothing is a flaw of the payload.
func (s predicateScope) danglingError(column *sqlexpr.Column, err *modelspec.CompileError) *modelspec.CompileError {
	candidates := err.Candidates
	if err.Code == CodeUnknownColumn {
		candidates = s.nearest(column.Path[0].Text, s.home.fieldNames)
	}
	return &modelspec.CompileError{Code: extension.CodeInvalid, Message: strings.TrimSpace(err.Message), Candidates: candidates, Hint: "see " + extension.Anchor(s.key)}
}

func paramType(params []extension.Param, name string) sqlexpr.Type {
	for _, p := range params {
		if p.Name != name {
			continue
		}
		switch p.Type {
		case "int":
			return sqlexpr.TypeInt
		case "float":
			return sqlexpr.TypeFloat
		case "string":
			return sqlexpr.TypeString
		case "bool":
			return sqlexpr.TypeBool
		case "date":
			return sqlexpr.TypeDate
		}
	}
	return sqlexpr.TypeUnknown
}
