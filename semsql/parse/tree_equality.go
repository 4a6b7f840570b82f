package parse

import (
	"reflect"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Equal reports whether two nodes have the same form. Positions do not count, and names
// without quotes compare without regard to case.
func Equal(a, b Node) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	switch x := a.(type) {
	case *Column, *Number, *String, *Bool, *Null, *Unary, *Binary, *Between, *In, *Like, *IsNull, *IsTruth, *Case, *Extract:
		y, ok := b.(Expr)
		return ok && sqlexpr.EqualNodes(x.(Expr), y, equalExprs)
	}
	return equalValues(reflect.ValueOf(a), reflect.ValueOf(b))
}

func equalExprs(a, b Expr) bool { return Equal(a, b) }

// equalValues compares two nodes of statements alone, or two values of one field of them.
func equalValues(a, b reflect.Value) bool {
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Interface:
		x, _ := a.Interface().(Node)
		y, _ := b.Interface().(Node)
		return Equal(x, y)
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		return equalValues(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equalValues(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		if a.Type() == nameType {
			return nameOfValue(a).Equal(nameOfValue(b))
		}
		for i := 1; i < a.NumField(); i++ { // the first field of a node is its position
			if !equalValues(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

var nameType = reflect.TypeFor[Name]()

// nameOfValue copies a name without an allocation.
func nameOfValue(v reflect.Value) Name {
	return Name{Text: v.Field(0).String(), Quoted: v.Field(1).Bool()}
}
