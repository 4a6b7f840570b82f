package resolve

import (
	"reflect"

	"github.com/semlayer/semlayer/semsql/parse"
)

// ReplaceNode copies a tree with a new node in the place of one. Parts without that node are shared.
func ReplaceNode(tree, old, with parse.Node) parse.Node {
	out, _ := replaceNodeInValue(reflect.ValueOf(tree), old, with)
	return out.Interface().(parse.Node)
}

// replaceNodeInValue also reports whether the value holds the node.
func replaceNodeInValue(v reflect.Value, old, with parse.Node) (reflect.Value, bool) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		return replaceNodeInValue(v.Elem(), old, with)
	case reflect.Pointer:
		if v.IsNil() {
			return v, false
		}
		if n, ok := v.Interface().(parse.Node); ok && n == old {
			return reflect.ValueOf(with), true
		}
		x, found := replaceNodeInValue(v.Elem(), old, with)
		if !found {
			return v, false
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(x)
		return out, true
	case reflect.Struct:
		for i := range v.NumField() {
			if x, found := replaceNodeInValue(v.Field(i), old, with); found {
				out := reflect.New(v.Type()).Elem()
				out.Set(v)
				out.Field(i).Set(x)
				return out, true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if x, found := replaceNodeInValue(v.Index(i), old, with); found {
				out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
				reflect.Copy(out, v)
				out.Index(i).Set(x)
				return out, true
			}
		}
	}
	return v, false
}
