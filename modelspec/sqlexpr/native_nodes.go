package sqlexpr

// Nodes of a dialect's own spelling. A text has them only where its limits name
// a dialect, which the node keeps: the same spelling may mean something else to
// another engine, as the index of an array counts from 0 or from 1.
type (
	// NativeCast is TRY_CAST(x AS type) or SAFE_CAST(x AS type). Func is the
	// upper-case name. To is the type as its author spelled it, one space
	// between words: words, digits, parentheses, commas and angle brackets.
	NativeCast struct {
		Position
		Dialect string
		Func    string
		X       Expr
		To      string
	}

	// Subscript is x[index].
	Subscript struct {
		Position
		Dialect  string
		X, Index Expr
	}

	// SemiStructuredPath is x:path, a part of a value of JSON. Path is as its author wrote it, without blanks: names with dots
	// between them and subscripts.
	SemiStructuredPath struct {
		Position
		Dialect string
		X       Expr
		Path    string
	}

	// NativeString is a text literal that the portable language does not have, such as r'[0-9]+', with its prefix and its quotes.
	NativeString struct {
		Position
		Dialect string
		Text    string
	}

	// JSONAccess is x -> path, and the same with ->>, #> and #>>. Path is a
	// *String or a *Number.
	JSONAccess struct {
		Position
		Dialect string
		Op      string
		X, Path Expr
	}

	// StructMemberAccess is a named part of a structure: (addr).city, items[1].price.
	StructMemberAccess struct {
		Position
		Dialect string
		X       Expr
		Field   Name
	}
)

// visitNativeOperands calls f for every direct operand of a node of a dialect's own.
func visitNativeOperands(e Expr, f func(Expr)) {
	switch e := e.(type) {
	case *NativeCast:
		f(e.X)
	case *Subscript:
		f(e.X)
		f(e.Index)
	case *SemiStructuredPath:
		f(e.X)
	case *JSONAccess:
		f(e.X)
		f(e.Path)
	case *StructMemberAccess:
		f(e.X)
	}
}

// mapNativeChildren is MapOperands for a node of a dialect's own.
func mapNativeChildren(e Expr, f func(Expr) Expr) Expr {
	switch e := e.(type) {
	case *NativeCast:
		if x := f(e.X); x != e.X {
			return &NativeCast{Position: e.Position, Dialect: e.Dialect, Func: e.Func, X: x, To: e.To}
		}
	case *Subscript:
		if x, index := f(e.X), f(e.Index); x != e.X || index != e.Index {
			return &Subscript{Position: e.Position, Dialect: e.Dialect, X: x, Index: index}
		}
	case *SemiStructuredPath:
		if x := f(e.X); x != e.X {
			return &SemiStructuredPath{Position: e.Position, Dialect: e.Dialect, X: x, Path: e.Path}
		}
	case *JSONAccess:
		// The path is part of the operator: no pass may write it otherwise.
		if x := f(e.X); x != e.X {
			return &JSONAccess{Position: e.Position, Dialect: e.Dialect, Op: e.Op, X: x, Path: e.Path}
		}
	case *StructMemberAccess:
		if x := f(e.X); x != e.X {
			return &StructMemberAccess{Position: e.Position, Dialect: e.Dialect, X: x, Field: e.Field}
		}
	}
	return e
}

func equalNativeExprs(a, b Expr, equal func(a, b Expr) bool) bool {
	switch a := a.(type) {
	case *NativeCast:
		b, ok := b.(*NativeCast)
		return ok && a.Dialect == b.Dialect && a.Func == b.Func && a.To == b.To && equal(a.X, b.X)
	case *Subscript:
		b, ok := b.(*Subscript)
		return ok && a.Dialect == b.Dialect && equal(a.X, b.X) && equal(a.Index, b.Index)
	case *SemiStructuredPath:
		b, ok := b.(*SemiStructuredPath)
		return ok && a.Dialect == b.Dialect && a.Path == b.Path && equal(a.X, b.X)
	case *NativeString:
		b, ok := b.(*NativeString)
		return ok && a.Dialect == b.Dialect && a.Text == b.Text
	case *JSONAccess:
		b, ok := b.(*JSONAccess)
		return ok && a.Dialect == b.Dialect && a.Op == b.Op && equal(a.X, b.X) && equal(a.Path, b.Path)
	case *StructMemberAccess:
		b, ok := b.(*StructMemberAccess)
		return ok && a.Dialect == b.Dialect && a.Field.Equal(b.Field) && equal(a.X, b.X)
	}
	return false
}

func appendNativeExpr(dst []byte, e Expr) []byte {
	switch e := e.(type) {
	case *NativeCast:
		dst = append(append(dst, e.Func...), '(')
		dst = append(AppendFormatted(dst, e.X), " AS "...)
		return append(append(dst, e.To...), ')')
	case *Subscript:
		dst = append(appendOperandOfAccess(dst, e.X, false), '[')
		return append(AppendFormatted(dst, e.Index), ']')
	case *SemiStructuredPath:
		_, call := e.X.(*Call)
		return append(append(appendOperandOfAccess(dst, e.X, call), ':'), e.Path...)
	case *NativeString:
		return append(dst, e.Text...)
	case *JSONAccess:
		_, chained := e.X.(*JSONAccess)
		dst = append(append(append(appendOperandOfAccess(dst, e.X, chained), ' '), e.Op...), ' ')
		return AppendFormatted(dst, e.Path)
	case *StructMemberAccess:
		_, column := e.X.(*Column)
		if column {
			dst = append(AppendFormatted(append(dst, '('), e.X), ')')
		} else {
			dst = appendOperandOfAccess(dst, e.X, false)
		}
		return appendPath(append(dst, '.'), []Name{e.Field})
	}
	return dst
}

// IsNative reports whether an expression has a part in the spelling of one dialect.
func IsNative(e Expr) bool {
	found := false
	Walk(e, func(e Expr) bool {
		switch e := e.(type) {
		case *NativeCast, *NativeString, *Subscript, *SemiStructuredPath, *JSONAccess, *StructMemberAccess:
			found = true
		case *Call:
			found = found || e.Dialect != ""
		}
		return !found
	})
	return found
}

// appendOperandOfAccess appends what is subscripted, read as JSON or has a member.
func appendOperandOfAccess(dst []byte, x Expr, bare bool) []byte {
	switch x.(type) {
	case *Column, *Subscript, *StructMemberAccess:
		bare = true
	}
	if bare {
		return AppendFormatted(dst, x)
	}
	return append(AppendFormatted(append(dst, '('), x), ')')
}
