package layering

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/tools/workspace"
)

// PassMutationRule requires that the passes of a module return their results by value, so that no
// pass changes what another one returned.
type PassMutationRule struct {
	Module     string
	MaxMethods int               // of any type of the module
	Planes     []string          // packages whose fields are assigned only by the function that made the value
	Workers    map[string]string // types of planes that grow while one pass runs, each with the reason
}

// CheckPassMutations reports types with too many methods, and assignments in planes to a field
// that another function can see: through a parameter, a receiver or a pointer that came
// from elsewhere. A function may assign to its own value: one that it made, or a
// copy, as far as no pointer, slice or map leads out of the copy. A method of a worker
// may assign through its receiver; to call such a method is to assign to the field that
// holds the worker. Tests are exempt.
func CheckPassMutations(w *workspace.Workspace, prefix string, rule PassMutationRule) ([]string, error) {
	i := slices.IndexFunc(w.Modules, func(m workspace.Module) bool { return m.Dir == rule.Module })
	if i < 0 {
		return nil, fmt.Errorf("there is no module %s", rule.Module)
	}
	s := newSourceTypeChecker(w)
	found, err := s.typesWithTooManyMethods(w.Modules[i], rule.MaxMethods)
	if err != nil {
		return nil, err
	}
	methods := map[string]bool{}
	for _, plane := range rule.Planes {
		p, err := s.loadPackage(prefix + "/" + plane)
		if err != nil {
			return nil, err
		}
		c := passMutationChecker{sources: s, pkg: p, plane: plane, prefix: prefix, rule: rule, methods: methods}
		found = append(found, c.checkAssignmentsOfPlane()...)
	}
	for worker := range rule.Workers {
		if !methods[worker] {
			found = append(found, worker+" is listed as a worker, and assigns to none of its fields")
		}
	}
	slices.Sort(found)
	return found, nil
}

// passMutationChecker looks at the assignments of one plane.
type passMutationChecker struct {
	sources *sourceTypeChecker
	pkg     *typeCheckedPackage
	plane   string
	prefix  string
	rule    PassMutationRule
	methods map[string]bool // workers whose methods assign through their receiver
}

func (c passMutationChecker) checkAssignmentsOfPlane() []string {
	var found []string
	for _, file := range c.pkg.files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				found = append(found, c.checkAssignmentsOfFunction(f)...)
			}
		}
	}
	return found
}

func (c passMutationChecker) checkAssignmentsOfFunction(f *ast.FuncDecl) []string {
	var found []string
	check := func(target ast.Expr) {
		if field := c.sharedFieldAssigned(f, target); field != "" {
			at := c.sources.files.Position(target.Pos())
			found = append(found, fmt.Sprintf("%s/%s:%d: %s assigns to the field %s of a value that it did not make: return a new value, or say in the rules which pass owns the type",
				c.plane, path.Base(at.Filename), at.Line, f.Name.Name, field))
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, target := range n.Lhs {
					check(target)
				}
			}
		case *ast.IncDecStmt:
			check(n.X)
		case *ast.CallExpr:
			if held := c.workerChangedByCall(n); held != nil {
				check(held)
			}
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				check(n.Key)
				check(n.Value)
			}
		}
		return true
	})
	return found
}

// workerChangedByCall returns the worker that a call changes where it is held by value: to call a
// method that takes its address is to assign to it. It is nil for any other call.
func (c passMutationChecker) workerChangedByCall(call *ast.CallExpr) ast.Expr {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := c.pkg.info.Selections[method]
	if s == nil || s.Kind() != types.MethodVal {
		return nil
	}
	held, ok := s.Recv().(*types.Named)
	if !ok || held.Obj().Pkg() == nil {
		return nil
	}
	_, byAddress := s.Obj().Type().(*types.Signature).Recv().Type().(*types.Pointer)
	_, worker := c.rule.Workers[strings.TrimPrefix(held.Obj().Pkg().Path(), c.prefix+"/")+"."+held.Obj().Name()]
	if !byAddress || !worker {
		return nil
	}
	return method.X
}

// sharedFieldAssigned returns the field of a plane that an assignment changes where another function
// can see it; "" where it changes none.
func (c passMutationChecker) sharedFieldAssigned(f *ast.FuncDecl, target ast.Expr) string {
	field, root, led := "", (*ast.Ident)(nil), false // led: a pointer, slice or map leads from root to the field
	for e := target; root == nil; {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			s := c.pkg.info.Selections[x]
			if s == nil || s.Kind() != types.FieldVal {
				return ""
			}
			if field == "" && s.Obj().Pkg() != nil && slices.Contains(c.rule.Planes, strings.TrimPrefix(s.Obj().Pkg().Path(), c.prefix+"/")) {
				field = x.Sel.Name
			}
			led = led || s.Indirect()
			e = x.X
		case *ast.IndexExpr:
			led, e = led || !c.isArray(x.X), x.X
		case *ast.StarExpr:
			led, e = true, x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.Ident:
			root = x
		default:
			return field // the result of a call, say: it came from elsewhere
		}
	}
	if field == "" || c.isWorkerReceiver(f, root) || c.isLocalValue(f, root, led) {
		return ""
	}
	return field
}

func (c passMutationChecker) isArray(e ast.Expr) bool {
	t := c.pkg.info.TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// isWorkerReceiver reports whether a variable is the receiver of a worker's method.
func (c passMutationChecker) isWorkerReceiver(f *ast.FuncDecl, root *ast.Ident) bool {
	if f.Recv == nil || len(f.Recv.List[0].Names) == 0 || c.pkg.info.Defs[f.Recv.List[0].Names[0]] != c.pkg.info.Uses[root] {
		return false
	}
	worker := c.plane + "." + receiverTypeName(f)
	_, listed := c.rule.Workers[worker]
	c.methods[worker] = c.methods[worker] || listed
	return listed
}

// isLocalValue reports whether the value that a variable leads to is the function's own.
func (c passMutationChecker) isLocalValue(f *ast.FuncDecl, root *ast.Ident, led bool) bool {
	v, ok := c.pkg.info.Uses[root].(*types.Var)
	if !ok || v.Parent() == c.pkg.types.Scope() {
		return false // of the package: every function sees it
	}
	if !led && isStruct(v.Type()) {
		return true // its own variable, or a copy
	}
	made := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && c.pkg.info.Defs[id] == v && len(n.Rhs) == len(n.Lhs) {
					made = isNewlyMadeValue(n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if c.pkg.info.Defs[id] == v {
					made = len(n.Values) == 0 && isStruct(v.Type()) || i < len(n.Values) && isNewlyMadeValue(n.Values[i])
				}
			}
		}
		return true
	})
	return made
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// isNewlyMadeValue reports whether an expression makes the value that it gives.
func isNewlyMadeValue(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		_, literal := e.X.(*ast.CompositeLit)
		return e.Op == token.AND && literal
	case *ast.CallExpr:
		switch f := e.Fun.(type) {
		case *ast.Ident:
			return f.Name == "make" || f.Name == "new"
		case *ast.SelectorExpr:
			p, ok := f.X.(*ast.Ident)
			return ok && (p.Name == "slices" || p.Name == "maps") && f.Sel.Name == "Clone"
		}
	}
	return false
}

// receiverTypeName returns the name of the type that a method belongs to.
func receiverTypeName(f *ast.FuncDecl) string {
	e := f.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
