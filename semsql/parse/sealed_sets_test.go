package parse

import (
	goast "go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nodeKinds returns one value of each kind of node.
func nodeKinds() []Node {
	return []Node{
		&Query{}, &CommonTable{}, &Select{}, &SetOperation{}, &SelectItem{}, &OrderItem{},
		&TableAlias{}, &Table{}, &DerivedTable{}, &Join{}, &SemanticView{},
		&Column{}, &Star{}, &Parameter{}, &Number{}, &String{}, &Bool{}, &Null{}, &TimeLiteral{}, &Interval{}, &SessionValue{},
		&Unary{}, &Binary{}, &Between{}, &In{}, &InArray{}, &InQuery{}, &Like{}, &IsNull{}, &IsTruth{},
		&Case{}, &Cast{}, &TypeName{}, &Extract{}, &Call{}, &MeasureCall{}, &Grouping{}, &NamedArgument{},
		&ScalarSubquery{}, &Exists{}, &Window{}, &Frame{}, &FrameBound{},
	}
}

// Every struct of the tree's files that embeds a position is a node, every name of a node of sqlexpr too, and nodeKinds holds it.
func TestNodeKinds_AreTheStructsWithAPosition(t *testing.T) {
	var declared, listed []string
	for _, name := range []string{"query_tree.go", "relation_tree.go", "expression_tree.go"} {
		file, err := goparser.ParseFile(gotoken.NewFileSet(), name, nil, goparser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		goast.Inspect(file, func(n goast.Node) bool {
			if spec, ok := n.(*goast.TypeSpec); ok && isNode(spec) {
				declared = append(declared, spec.Name.Name)
			}
			return true
		})
	}
	for _, kind := range nodeKinds() {
		listed = append(listed, reflect.TypeOf(kind).Elem().Name())
	}
	slices.Sort(declared)
	slices.Sort(listed)
	if diff := cmp.Diff(declared, listed); diff != "" {
		t.Errorf("nodes (-declared +listed)\n%s", diff)
	}
}

func isNode(spec *goast.TypeSpec) bool {
	if spec.Assign.IsValid() {
		_, fromElsewhere := spec.Type.(*goast.SelectorExpr)
		return fromElsewhere && spec.Name.Name != "Expr" && spec.Name.Name != "When" && spec.Name.Name != "Name"
	}
	st, ok := spec.Type.(*goast.StructType)
	return ok && slices.ContainsFunc(st.Fields.List, func(f *goast.Field) bool {
		if other, ok := f.Type.(*goast.SelectorExpr); ok {
			return len(f.Names) == 0 && other.Sel.Name == "Position"
		}
		id, ok := f.Type.(*goast.Ident)
		return ok && len(f.Names) == 0 && id.Name == "Position"
	})
}
