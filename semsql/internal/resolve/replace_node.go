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
		return replaceNodeInStruct(v, old, with)
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

func replaceNodeInStruct(pointer reflect.Value, old, with parse.Node) (reflect.Value, bool) {
	v := pointer.Elem()
	if v.Kind() != reflect.Struct {
		return pointer, false
	}
	for i := range v.NumField() {
		if x, found := replaceNodeInValue(v.Field(i), old, with); found {
			out := reflect.New(v.Type())
			out.Elem().Set(v)
			out.Elem().Field(i).Set(x)
			return out, true
		}
	}
	return pointer, false
}
