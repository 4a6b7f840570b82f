package sqlexpr

import "strings"

// userAttributeQualifier begins the attributes of a reader: `:user.region`.
const userAttributeQualifier = "user"

// AttributeValues are the values that a reader has, by the names of the attributes.
type AttributeValues map[string]AttributeValue

// AttributeValue is the value of one attribute as literals. A list holds any number of them, another attribute one.
type AttributeValue struct {
	List   bool
	Values []Expr
}

// UserAttributeName returns the name of the attribute that an expression is, without `:user.`; false for any other expression.
func UserAttributeName(e Expr) (name string, ok bool) {
	if typed, isTyped := e.(*DeclaredTypeExpr); isTyped {
		e = typed.X
	}
	p, isParam := e.(*Param)
	if !isParam {
		return "", false
	}
	return strings.CutPrefix(p.Name, userAttributeQualifier+".")
}

// HasUserAttributes reports whether an expression reads an attribute of a reader.
func HasUserAttributes(e Expr) bool {
	found := false
	Walk(e, func(x Expr) bool {
		if _, ok := UserAttributeName(x); ok {
			found = true
		}
		return !found
	})
	return found
}

// BindUserAttributes puts the values of a reader in the place of attributes. A list stands alone in the parentheses of an IN, which
// holds for none of no values. An attribute without a value stays, and no dialect prints it.
func BindUserAttributes(e Expr, values AttributeValues) Expr {
	if len(values) == 0 {
		return e
	}
	return Rewrite(e, func(x Expr) Expr {
		if in, ok := x.(*In); ok && len(in.Items) == 1 {
			if v, ok := attributeValueOf(in.Items[0], values); ok && v.List {
				if len(v.Values) == 0 {
					return &Bool{Position: in.Position, Value: in.Not}
				}
				return &In{Position: in.Position, Not: in.Not, X: BindUserAttributes(in.X, values), Items: v.Values}
			}
		}
		if v, ok := attributeValueOf(x, values); ok && !v.List && len(v.Values) == 1 {
			return v.Values[0]
		}
		return nil
	})
}

func attributeValueOf(e Expr, values AttributeValues) (AttributeValue, bool) {
	name, ok := UserAttributeName(e)
	if !ok {
		return AttributeValue{}, false
	}
	v, ok := values[name]
	return v, ok
}
