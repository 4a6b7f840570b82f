package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func countOrParamText(n catalog.WindowCountOrParam) string {
	if n.Param != "" {
		return ":" + n.Param
	}
	return strconv.Itoa(n.N)
}

func formatExprOrEmpty(e sqlexpr.Expr) string {
	if e == nil {
		return ""
	}
	return sqlexpr.Format(e)
}

// compareParams compares the parameters of a metric or of a level of detail.
func (c *modelComparison) compareParams(owner string, at declarationPlace, before, after []*catalog.Param) {
	for _, p := range before {
		name := owner + "." + p.Name
		if other := findParam(after, p.Name); other != nil {
			o := comparedObject{c, ObjectParameter, newObjectKey(ObjectParameter, name), name, at}
			compareParam(o, p, other)
			continue
		}
		c.addChange(classOfChangeAndReverse{ClassBreaking, addedParamClass(p)}, ObjectParameter, name, PropertyRemoved, "", "", at)
	}
	for _, p := range after {
		if findParam(before, p.Name) == nil {
			c.addChange(classOfChangeAndReverse{addedParamClass(p), ClassBreaking}, ObjectParameter, owner+"."+p.Name, PropertyAdded, "", "", at)
		}
	}
}

// addedParamClass is breaking where every query has to bind the parameter.
func addedParamClass(p *catalog.Param) ChangeClass {
	if p.Default == nil {
		return ClassBreaking
	}
	return ClassCompatible
}

func findParam(params []*catalog.Param, name string) *catalog.Param {
	for _, p := range params {
		if strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}

func compareParam(o comparedObject, before, after *catalog.Param) {
	o.addChangeIfTextDiffers(sameClassBothWays(ClassBreaking), PropertyDatatype, string(before.Type), string(after.Type))
	k := sameClassBothWays(ClassChanged)
	if (before.Default == nil) != (after.Default == nil) {
		k = changeClassesIfRemovedOrGained(after.Default == nil, ClassCompatible)
	}
	o.addChangeIfTextDiffers(k, PropertyParamDefault, literalTextOrEmpty(before.Default), literalTextOrEmpty(after.Default))
	o.addChangeIfTextDiffers(classOfChangeAndReverse{domainChangeClass(before, after), domainChangeClass(after, before)}, PropertyParamDomain, paramDomainText(before), paramDomainText(after))
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyDescription, before.Description, after.Description)
}

func literalTextOrEmpty(e sqlexpr.Expr) string {
	if e == nil {
		return ""
	}
	return catalog.UnquotedLiteralText(e)
}

// paramDomainText writes the values that a parameter takes; "" for every value.
func paramDomainText(p *catalog.Param) string {
	var parts, allowed []string
	for _, v := range p.Allowed {
		allowed = append(allowed, normalizeLiteral(v))
	}
	if len(allowed) > 0 {
		parts = append(parts, "one of "+strings.Join(sortWithoutDuplicates(allowed), ", "))
	}
	if p.Min != nil {
		parts = append(parts, "at least "+normalizeLiteral(p.Min))
	}
	if p.Max != nil {
		parts = append(parts, "at most "+normalizeLiteral(p.Max))
	}
	return strings.Join(parts, ", ")
}

// normalizeLiteral returns a literal with numbers in one spelling: 2.0 is 2.
func normalizeLiteral(e sqlexpr.Expr) string {
	if n, ok := catalog.LiteralAsRat(e); ok {
		return n.RatString()
	}
	return catalog.UnquotedLiteralText(e)
}

// domainChangeClass is breaking where a value that was accepted no longer is.
func domainChangeClass(before, after *catalog.Param) ChangeClass {
	if before.Type == after.Type && isParamDomainWithin(before, after) {
		return ClassCompatible
	}
	return ClassBreaking
}

// isParamDomainWithin reports whether every value of one domain is in the other.
func isParamDomainWithin(p, other *catalog.Param) bool {
	if len(p.Allowed) > 0 {
		return !slices.ContainsFunc(p.Allowed, func(v sqlexpr.Expr) bool {
			return isValueWithinParamBounds(v, p) && !paramAcceptsValue(other, v)
		})
	}
	if p.Type == catalog.ParamBool && len(other.Allowed) == 2 {
		return true
	}
	return len(other.Allowed) == 0 &&
		(other.Min == nil || p.Min != nil && compareLiterals(p.Min, other.Min) >= 0) &&
		(other.Max == nil || p.Max != nil && compareLiterals(p.Max, other.Max) <= 0)
}

func paramAcceptsValue(p *catalog.Param, v sqlexpr.Expr) bool {
	listed := len(p.Allowed) == 0 || slices.ContainsFunc(p.Allowed, func(a sqlexpr.Expr) bool { return compareLiterals(a, v) == 0 })
	return listed && isValueWithinParamBounds(v, p)
}

func isValueWithinParamBounds(v sqlexpr.Expr, p *catalog.Param) bool {
	return (p.Min == nil || compareLiterals(v, p.Min) >= 0) && (p.Max == nil || compareLiterals(v, p.Max) <= 0)
}

// compareLiterals compares numbers by value and everything else, dates too, by its text.
func compareLiterals(a, b sqlexpr.Expr) int {
	x, numeric := catalog.LiteralAsRat(a)
	y, both := catalog.LiteralAsRat(b)
	if numeric && both {
		return x.Cmp(y)
	}
	return strings.Compare(catalog.UnquotedLiteralText(a), catalog.UnquotedLiteralText(b))
}
