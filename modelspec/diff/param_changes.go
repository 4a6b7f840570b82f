package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func countText(n catalog.Count) string {
	if n.Param != "" {
		return ":" + n.Param
	}
	return strconv.Itoa(n.N)
}

func sharedText(e sqlexpr.Expr) string {
	if e == nil {
		return ""
	}
	return sqlexpr.Format(e)
}

// compareParams compares the parameters of a metric or of a level of detail.
func (c *comparison) compareParams(owner string, at place, before, after []*catalog.Param) {
	for _, p := range before {
		name := owner + "." + p.Name
		if other := paramNamed(after, p.Name); other != nil {
			o := object{c, ObjectParameter, keyOf(ObjectParameter, name), name, at}
			compareParam(o, p, other)
			continue
		}
		c.add(classes{Breaking, addedParamClass(p)}, ObjectParameter, name, Removed, "", "", at)
	}
	for _, p := range after {
		if paramNamed(before, p.Name) == nil {
			c.add(classes{addedParamClass(p), Breaking}, ObjectParameter, owner+"."+p.Name, Added, "", "", at)
		}
	}
}

// addedParamClass is breaking where every query has to bind the parameter.
func addedParamClass(p *catalog.Param) Class {
	if p.Default == nil {
		return Breaking
	}
	return Compatible
}

func paramNamed(params []*catalog.Param, name string) *catalog.Param {
	for _, p := range params {
		if strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}

func compareParam(o object, before, after *catalog.Param) {
	o.text(same(Breaking), Datatype, string(before.Type), string(after.Type))
	k := same(Changed)
	if (before.Default == nil) != (after.Default == nil) {
		k = loss(after.Default == nil, Compatible)
	}
	o.text(k, Default, literalText(before.Default), literalText(after.Default))
	o.text(classes{domainClass(before, after), domainClass(after, before)}, Domain, domainText(before), domainText(after))
	o.text(same(Compatible), Description, before.Description, after.Description)
}

func literalText(e sqlexpr.Expr) string {
	if e == nil {
		return ""
	}
	return catalog.LiteralText(e)
}

// domainText writes the values that a parameter takes; "" for every value.
func domainText(p *catalog.Param) string {
	var parts, allowed []string
	for _, v := range p.Allowed {
		allowed = append(allowed, normalLiteral(v))
	}
	if len(allowed) > 0 {
		parts = append(parts, "one of "+strings.Join(sortedUnique(allowed), ", "))
	}
	if p.Min != nil {
		parts = append(parts, "at least "+normalLiteral(p.Min))
	}
	if p.Max != nil {
		parts = append(parts, "at most "+normalLiteral(p.Max))
	}
	return strings.Join(parts, ", ")
}

// normalLiteral is a literal with numbers in one spelling: 2.0 is 2.
func normalLiteral(e sqlexpr.Expr) string {
	if n, ok := catalog.LiteralRat(e); ok {
		return n.RatString()
	}
	return catalog.LiteralText(e)
}

// domainClass is breaking where a value that was accepted no longer is.
func domainClass(before, after *catalog.Param) Class {
	if before.Type == after.Type && domainWithin(before, after) {
		return Compatible
	}
	return Breaking
}

// domainWithin reports whether every value of one domain is in the other.
func domainWithin(p, other *catalog.Param) bool {
	if len(p.Allowed) > 0 {
		return !slices.ContainsFunc(p.Allowed, func(v sqlexpr.Expr) bool {
			return inBounds(v, p) && !accepts(other, v)
		})
	}
	if p.Type == catalog.ParamBool && len(other.Allowed) == 2 {
		return true
	}
	return len(other.Allowed) == 0 &&
		(other.Min == nil || p.Min != nil && compareLiterals(p.Min, other.Min) >= 0) &&
		(other.Max == nil || p.Max != nil && compareLiterals(p.Max, other.Max) <= 0)
}

func accepts(p *catalog.Param, v sqlexpr.Expr) bool {
	listed := len(p.Allowed) == 0 || slices.ContainsFunc(p.Allowed, func(a sqlexpr.Expr) bool { return compareLiterals(a, v) == 0 })
	return listed && inBounds(v, p)
}

func inBounds(v sqlexpr.Expr, p *catalog.Param) bool {
	return (p.Min == nil || compareLiterals(v, p.Min) >= 0) && (p.Max == nil || compareLiterals(v, p.Max) <= 0)
}

// compareLiterals compares numbers by value and everything else, dates too, by its text.
func compareLiterals(a, b sqlexpr.Expr) int {
	x, numeric := catalog.LiteralRat(a)
	y, both := catalog.LiteralRat(b)
	if numeric && both {
		return x.Cmp(y)
	}
	return strings.Compare(catalog.LiteralText(a), catalog.LiteralText(b))
}
