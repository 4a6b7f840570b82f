package sqlexpr

// Nodes of a dialect's own spelling. A text has them only where its limits name
// a dialect, which the node keeps: the same spelling may mean something else to
// another engine, as the index of an array counts from 0 or from 1.
type (
	// NativeCast is TRY_CAST(x AS type) or SAFE_CAST(x AS type). Func is the
	// upper-case name. To is the type as its author spelled it, one space
	// between words: words, digits, parentheses, commas and angle brackets.
	NativeCast struct {
		At
		Dialect string
		Func    string
		X       Expr
		To      string
	}

	// Subscript is x[index].
	Subscript struct {
		At
		Dialect  string
		X, Index Expr
	}

	// JSONAccess is x -> path, and the same with ->>, #> and #>>. Path is a
	// *String or a *Number.
	JSONAccess struct {
		At
		Dialect string
		Op      string
		X, Path Expr
	}

	// Member is a named part of a structure: (addr).city, items[1].price.
	Member struct {
		At
		Dialect string
		X       Expr
		Field   Name
	}
)

// eachNativeOperand calls f for every direct operand of a node of a dialect's own.
func eachNativeOperand(e Expr, f func(Expr)) {
	switch e := e.(type) {
	case *NativeCast:
		f(e.X)
	case *Subscript:
		f(e.X)
		f(e.Index)
	case *JSONAccess:
		f(e.X)
		f(e.Path)
	case *Member:
		f(e.X)
	}
}

// mapNative is mapChildren for a node of a dialect's own.
func mapNative(e Expr, f func(Expr) Expr) Expr {
	switch e := e.(type) {
	case *NativeCast:
		if x := f(e.X); x != e.X {
			return &NativeCast{At: e.At, Dialect: e.Dialect, Func: e.Func, X: x, To: e.To}
		}
	case *Subscript:
		if x, index := f(e.X), f(e.Index); x != e.X || index != e.Index {
			return &Subscript{At: e.At, Dialect: e.Dialect, X: x, Index: index}
		}
	case *JSONAccess:
		// The path is part of the operator: no pass may write it otherwise.
		if x := f(e.X); x != e.X {
			return &JSONAccess{At: e.At, Dialect: e.Dialect, Op: e.Op, X: x, Path: e.Path}
		}
	case *Member:
		if x := f(e.X); x != e.X {
			return &Member{At: e.At, Dialect: e.Dialect, X: x, Field: e.Field}
		}
	}
	return e
}

func equalNative(a, b Expr) bool {
	switch a := a.(type) {
	case *NativeCast:
		b, ok := b.(*NativeCast)
		return ok && a.Dialect == b.Dialect && a.Func == b.Func && a.To == b.To && Equal(a.X, b.X)
	case *Subscript:
		b, ok := b.(*Subscript)
		return ok && a.Dialect == b.Dialect && Equal(a.X, b.X) && Equal(a.Index, b.Index)
	case *JSONAccess:
		b, ok := b.(*JSONAccess)
		return ok && a.Dialect == b.Dialect && a.Op == b.Op && Equal(a.X, b.X) && Equal(a.Path, b.Path)
	case *Member:
		b, ok := b.(*Member)
		return ok && a.Dialect == b.Dialect && a.Field.Equal(b.Field) && Equal(a.X, b.X)
	}
	return false
}

func appendNative(dst []byte, e Expr) []byte {
	switch e := e.(type) {
	case *NativeCast:
		dst = append(append(dst, e.Func...), '(')
		dst = append(Append(dst, e.X), " AS "...)
		return append(append(dst, e.To...), ')')
	case *Subscript:
		dst = append(appendAccessBase(dst, e.X, false), '[')
		return append(Append(dst, e.Index), ']')
	case *JSONAccess:
		_, chained := e.X.(*JSONAccess)
		dst = append(append(append(appendAccessBase(dst, e.X, chained), ' '), e.Op...), ' ')
		return Append(dst, e.Path)
	case *Member:
		_, column := e.X.(*Column)
		if column {
			dst = append(Append(append(dst, '('), e.X), ')')
		} else {
			dst = appendAccessBase(dst, e.X, false)
		}
		return appendPath(append(dst, '.'), []Name{e.Field})
	}
	return dst
}

// appendAccessBase appends what is subscripted, read as JSON or has a member.
func appendAccessBase(dst []byte, x Expr, bare bool) []byte {
	switch x.(type) {
	case *Column, *Subscript, *Member:
		bare = true
	}
	if bare {
		return Append(dst, x)
	}
	return append(Append(append(dst, '('), x), ')')
}
