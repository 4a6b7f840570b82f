package compile

import (
	"context"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// The codes of an expression of a policy that an expression of a model or a query cannot have.
const (
	CodeInvalidPolicy    = "invalid_policy"
	CodeUnknownAttribute = "unknown_attribute"
)

// PolicyExpression is a row rule or a mask of a dataset: an expression over its fields, and over fields that its rows lead to along
// many-to-one relationships.
type PolicyExpression struct {
	Dataset *catalog.Dataset
	// Name is that of the field that the expression becomes. No field of a model has it.
	Name, Text string
	// Attribute types the attributes of readers that the expression may hold; list: its values stand in the parentheses of an IN.
	Attribute func(name string) (typ sqlexpr.Type, list, known bool)
	// AttributeNames lists their names.
	AttributeNames []string
}

// ExtendForPolicy returns a catalog with the field that an expression of a policy is, and the field. The expression holds attributes of
// readers in place of values; see sqlexpr.BindUserAttributes. The error is a *modelspec.CompileError, whose Position is the offset in
// the text, counted in characters from 1 in Column.
func ExtendForPolicy(ctx context.Context, cat *catalog.Catalog, p PolicyExpression) (*catalog.Catalog, *catalog.Field, *modelspec.CompileError) {
	expr, err := parsePolicyExpression(p)
	if err != nil {
		return nil, nil, err
	}
	out := cat.ExtendForQuery()
	c := &compiler{
		ctx: ctx, cat: out, extends: true, measures: newUniqueMeasureTable(), ranking: suggest.NewRankingBudget(candidateRankingBudget),
		byName: map[string]*datasetInProgress{}, byMetric: map[string]*metricInProgress{},
	}
	d := c.datasetInProgressOfCatalogDataset(p.Dataset)
	f := &fieldInProgress{
		doc: &modelspec.Field{}, ds: d,
		cat:    &catalog.Field{Dataset: d.cat, Name: p.Name},
		source: catalog.DialectVariants[parsedDialectEntry]{Default: newDialectEntryOfQueryExpression(expr, p.Text)},
	}
	if err := c.checkExpressionNamesAreFields(f, expr, ""); err != nil {
		return nil, nil, policyError(err)
	}
	(&fieldExpander{compiler: c}).expandFieldIfNotVisited(f)
	if f.cat.Err != nil {
		return nil, nil, policyError(f.cat.Err)
	}
	out.AddField(f.cat)
	if err := checkFieldsOfPolicy(out, f.cat); err != nil {
		return nil, nil, err
	}
	return out, f.cat, nil
}

// parsePolicyExpression parses an expression and types its attributes.
func parsePolicyExpression(p PolicyExpression) (sqlexpr.Expr, *modelspec.CompileError) {
	limits := sqlexpr.QueryLimits()
	limits.UserAttributes = true
	e, err := sqlexpr.ParseLimited(p.Text, limits)
	if err != nil {
		return nil, expressionSyntaxError("", modelspec.LocatedText{Value: p.Text}, err)
	}
	for _, refuse := range []func(sqlexpr.Expr, string) *modelspec.CompileError{refuseNonRowExpression, refuseUnknownCall} {
		if failure := refuse(e, ""); failure != nil {
			return nil, policyError(failure)
		}
	}
	var failure *modelspec.CompileError
	fail := func(code string, candidates []string, format string, args ...any) {
		if failure == nil {
			failure = &modelspec.CompileError{Code: code, Message: fmt.Sprintf(format, args...), Candidates: candidates}
		}
	}
	var typed func(x sqlexpr.Expr, alone bool) sqlexpr.Expr
	typed = func(e sqlexpr.Expr, alone bool) sqlexpr.Expr {
		return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
			switch x := x.(type) {
			case *sqlexpr.In:
				if len(x.Items) == 1 && !alone {
					return &sqlexpr.In{Position: x.Position, Not: x.Not, X: typed(x.X, false), Items: []sqlexpr.Expr{typed(x.Items[0], true)}}
				}
			case *sqlexpr.Param:
				name, isAttribute := sqlexpr.UserAttributeName(x)
				if !isAttribute {
					fail(CodeInvalidPolicy, nil, "%s is a parameter slot; a policy reads attributes as :user.NAME", quoteExpr(x))
					return x
				}
				typ, list, known := p.Attribute(name)
				switch {
				case !known:
					fail(CodeUnknownAttribute, suggest.Nearest(name, p.AttributeNames, suggest.MaxCandidates), "the attribute %q is not declared", name)
				case list && !(alone && x == e):
					fail(CodeInvalidPolicy, nil, "the attribute %s is a list, which is written only as IN (:user.%s) or NOT IN (:user.%s), alone between the parentheses", name, name, name)
				}
				return &sqlexpr.DeclaredTypeExpr{Position: x.Position, X: x, Type: typ}
			}
			return nil
		})
	}
	e = typed(e, false)
	return e, failure
}

// refuseUnknownCall rejects functions outside of the language, so that a rule means the same on every engine.
func refuseUnknownCall(e sqlexpr.Expr, location string) *modelspec.CompileError {
	calls := sqlexpr.UnknownFunctionCalls(e)
	if len(calls) == 0 {
		return nil
	}
	name := calls[0].Name.Text
	failure := unsupportedExpressionError(location, "", "%s is not a function of the expression language", shortenText(strings.ToUpper(name)))
	failure.Candidates = suggest.Nearest(name, sqlexpr.ScalarFunctionNames(), suggest.MaxCandidates)
	return failure
}

// checkFieldsOfPolicy rejects fields whose values are not those of columns of one row.
func checkFieldsOfPolicy(cat *catalog.Catalog, f *catalog.Field) *modelspec.CompileError {
	read := f.Reads
	for ref := range sqlexpr.Refs(f.Expr.Default) {
		read = append(read, cat.FieldByID(ref.ID))
	}
	for _, r := range read {
		source := r.SourceField()
		switch {
		case source.LOD != nil:
			return &modelspec.CompileError{Code: CodeInvalidPolicy, Message: fmt.Sprintf("the field %s is computed from rows of other datasets, and a policy reads columns", source.QualifiedName())}
		case source.Encoding != nil:
			return &modelspec.CompileError{Code: CodeInvalidPolicy, Message: fmt.Sprintf("the field %s stores its time as %s, which a policy does not read", source.QualifiedName(), source.Encoding.Text)}
		}
	}
	return nil
}

// policyError gives the error of an expression the code that it has in a policy.
func policyError(err *modelspec.CompileError) *modelspec.CompileError {
	out := *err
	switch err.Code {
	case CodeUnknownColumn:
		out.Code = CodeUnknownField
	case CodeCrossDatasetAggregate:
		out.Code = CodeNoJoinPath
	case CodeUnknownField, CodeUnknownDataset, CodeAmbiguousJoinPath, CodeAmbiguousColumn, CodeUnparseable:
	default:
		out.Code = CodeInvalidPolicy
	}
	return &out
}
