package compile

import (
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
	home   *datasetInProgress
	lod    *fieldInProgress // whose predicate it is; nil for that of a metric
}

// resolvePayloadPredicate resolves the names of a payload's predicate to fields. Slots stay.
func (c *compiler) resolvePayloadPredicate(e *extension.PayloadExpression, scope predicateScope) (sqlexpr.Expr, *modelspec.CompileError) {
	var first *modelspec.CompileError
	out := sqlexpr.Rewrite(e.Expr, func(n sqlexpr.Expr) sqlexpr.Expr {
		column, ok := n.(*sqlexpr.Column)
		if !ok {
			return nil
		}
		id, err := scope.fieldIDOfName(column)
		if err != nil {
			if err.Location == "" {
				err.Location, err.Position = e.Location, e.Position
			}
			if first == nil {
				first = err
			}
			c.addErrorOnce(err)
			return n
		}
		return &sqlexpr.Ref{Position: column.Position, ID: id}
	})
	if first != nil {
		return nil, first
	}
	leaf := func(n sqlexpr.Expr) sqlexpr.Type {
		if p, ok := n.(*sqlexpr.Param); ok {
			return typeOfParam(scope.params, p.Name)
		}
		return c.typeOfReferencedField(n)
	}
	if t := sqlexpr.TypeOf(out, leaf); t != sqlexpr.TypeUnknown && t != sqlexpr.TypeBool {
		return nil, c.addAndReturnError(invalidPayloadError(e.Place, scope.key, "%s is a %s, not a condition", quoteExcerpt(e.Text), t))
	}
	return sqlexpr.ResolveOperatorTypes(out, leaf), nil
}

// fieldIDOfName returns the ID of the field that a name in the predicate stands for: the home's
// own first.
func (s predicateScope) fieldIDOfName(column *sqlexpr.Column) (int, *modelspec.CompileError) {
	last := column.Path[len(column.Path)-1]
	if len(column.Path) == 1 {
		if f := s.home.findFieldOfIdentifier(last); f != nil {
			return f.cat.ID, f.cat.Err
		}
	}
	ref, err := s.resolveFieldReference(column, s.home.cat)
	switch {
	case err != nil:
		return 0, s.unresolvedNameErrorOfPayloadOrQuery(column, err)
	case ref.field.cat.Err != nil:
		return 0, ref.field.cat.Err
	case s.lod != nil && len(ref.prefix) == 0:
		return ref.field.cat.ID, nil // the planner finds its path
	}
	return s.fieldIDOfReference(s.home.cat, ref, s.pathListerOfHome())
}

// pathListerOfHome lists the paths from the home of the predicate.
func (s predicateScope) pathListerOfHome() safePathLister {
	if s.lod == nil {
		return s.safePaths
	}
	return s.lodPathLister(s.lod, s.home)
}

// unresolvedNameErrorOfPayloadOrQuery restates a resolution error: in a payload every name that stands for
// nothing is a flaw of the payload. In a query it is an unknown field.
func (s predicateScope) unresolvedNameErrorOfPayloadOrQuery(column *sqlexpr.Column, err *modelspec.CompileError) *modelspec.CompileError {
	candidates := err.Candidates
	if err.Code == CodeUnknownColumn {
		candidates = s.nearestCandidates(column.Path[0].Text, s.home.fieldNames)
	}
	code := extension.CodeInvalidPayload
	if s.extends && err.Code != CodeAmbiguousColumn {
		code = CodeUnknownField
	}
	return &modelspec.CompileError{Code: code, Message: strings.TrimSpace(err.Message), Candidates: candidates, Hint: "see " + extension.DocumentationAnchor(s.key)}
}

func typeOfParam(params []extension.Param, name string) sqlexpr.Type {
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
