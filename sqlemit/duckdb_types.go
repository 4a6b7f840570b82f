package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// numberKind is how the values of an expression meet others in engines where several become one type, such as DuckDB.
type numberKind uint8

const (
	// notNumericKind is a text, a date, a condition or an interval.
	notNumericKind numberKind = iota
	// nullKind is NULL, which has the type of the others.
	nullKind
	// integerKind has no digits after the point, and at most 64 bits unless it is a constant.
	integerKind
	// sumOfIntegersKind is a HUGEINT. Together with a decimal it becomes a decimal of 38 digits.
	sumOfIntegersKind
	// shortDecimalKind is a decimal of few digits.
	shortDecimalKind
	// unknownKind is a column of a table, or what is made of one and no SUM.
	unknownKind
	// wideDecimalKind may be a decimal of 38 digits, as a SUM of decimals is.
	wideDecimalKind
	// doubleKind is a DOUBLE, and makes one of all others.
	doubleKind
)

// commonNumberKind returns the kind of an expression that adds or chooses between values of two kinds.
func commonNumberKind(a, b numberKind) numberKind {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == notNumericKind && b != nullKind:
		return notNumericKind
	case a == sumOfIntegersKind && (b == shortDecimalKind || b == unknownKind):
		return wideDecimalKind
	case a == shortDecimalKind && b == unknownKind:
		return shortDecimalKind
	}
	return b
}

// numberKindOf returns the kind of an expression in a scope.
func (w *writer) numberKindOf(s *columnScope, e sqlexpr.Expr) numberKind {
	switch e := e.(type) {
	case *sqlexpr.Null:
		return nullKind
	case *sqlexpr.Number:
		return numberKindOfLiteral(e.Text)
	case *sqlexpr.TypedLiteral:
		return numberKindOfType(e.Type)
	case *sqlexpr.Column:
		return w.numberKindOfDerivedColumn(e)
	case *sqlexpr.Ref:
		return w.numberKindOfRef(s, e)
	case *sqlexpr.Unary:
		if e.Op != sqlexpr.OpNot {
			return w.numberKindOf(s, e.X)
		}
		return notNumericKind
	case *sqlexpr.Binary:
		return w.numberKindOfBinary(s, e)
	case *sqlexpr.SafeDivide:
		return doubleKind
	case *sqlexpr.Case:
		return w.numberKindOfChoice(s, e, sqlexpr.CaseResults(e))
	case *sqlexpr.Cast:
		return numberKindOfCastType(e.To)
	case *sqlexpr.Call:
		return w.numberKindOfCall(s, e)
	case *sqlexpr.WindowCall:
		if e.Call != nil {
			return w.numberKindOfCall(s, e.Call)
		}
	case *sqlexpr.DeclaredTypeExpr:
		if e.Type == sqlexpr.TypeFloat { // the column may be a decimal
			return w.numberKindOf(s, e.X)
		}
	}
	if t := typeInScope(s, e); t != sqlexpr.TypeUnknown {
		return numberKindOfType(t)
	}
	return unknownKind
}

// numberKindOfRef returns the kind of the column that a reference means.
func (w *writer) numberKindOfRef(s *columnScope, r *sqlexpr.Ref) numberKind {
	if !s.hasColumnID(r.ID) {
		return unknownKind
	}
	c := &s.cols[r.ID]
	switch e := c.expr.(type) {
	case *sqlexpr.Column:
		return w.numberKindOfDerivedColumn(e)
	case *sqlexpr.Ref:
		return w.numberKindOfRef(c.scope, e)
	}
	return w.cacheNumberKind(c.scope, c.expr, func() numberKind { return w.numberKindOf(c.scope, c.expr) })
}

func (w *writer) numberKindOfBinary(s *columnScope, e *sqlexpr.Binary) numberKind {
	switch e.Op {
	case sqlexpr.OpDiv:
		return doubleKind
	case sqlexpr.OpAdd, sqlexpr.OpSub, sqlexpr.OpMul, sqlexpr.OpMod:
		l, r := w.numberKindOf(s, e.L), w.numberKindOf(s, e.R)
		if l == notNumericKind && r == notNumericKind && e.Op == sqlexpr.OpSub {
			return integerKind // days between dates, or an interval
		}
		return commonNumberKind(l, r)
	}
	return notNumericKind
}

func (w *writer) numberKindOfCall(s *columnScope, c *sqlexpr.Call) numberKind {
	switch c.Fn {
	case sqlexpr.FnUnknown, sqlexpr.FnOtherAggregate:
		return unknownKind
	case sqlexpr.FnSum:
		switch k := w.numberKindOf(s, c.Args[0]); k {
		case integerKind, sumOfIntegersKind:
			return sumOfIntegersKind
		case shortDecimalKind, unknownKind:
			return wideDecimalKind
		case notNumericKind:
			if typeInScope(s, c.Args[0]) == sqlexpr.TypeBool {
				return sumOfIntegersKind
			}
			return notNumericKind
		default:
			return k
		}
	case sqlexpr.FnMod:
		return commonNumberKind(w.numberKindOf(s, c.Args[0]), w.numberKindOf(s, c.Args[1]))
	}
	if values := sqlexpr.ChosenArgs(c); values != nil {
		return w.numberKindOfChoice(s, c, values)
	}
	if returnsTypeOfFirstArgument(c.Fn) {
		return w.numberKindOf(s, c.Args[0])
	}
	if t := typeInScope(s, c); t != sqlexpr.TypeUnknown {
		return numberKindOfType(t)
	}
	return unknownKind
}

// scopedExpr is an expression, the scope in which it was written, and the number of the derived tables that it can name.
type scopedExpr struct {
	scope   *columnScope
	expr    sqlexpr.Expr
	visible int
}

// cacheNumberKind keeps the kind of an expression that is asked for by each expression around it.
func (w *writer) cacheNumberKind(s *columnScope, e sqlexpr.Expr, find func() numberKind) numberKind {
	at := scopedExpr{s, e, w.derivedColumns.visible}
	if kind, ok := w.derivedColumns.kinds[at]; ok {
		return kind
	}
	kind := find()
	if w.derivedColumns.kinds == nil {
		w.derivedColumns.kinds = map[scopedExpr]numberKind{}
	}
	w.derivedColumns.kinds[at] = kind
	return kind
}

// numberKindOfChoice returns the kind of an expression that has one of several values.
func (w *writer) numberKindOfChoice(s *columnScope, e sqlexpr.Expr, values []sqlexpr.Expr) numberKind {
	join := func() numberKind {
		kind := nullKind
		for _, x := range values {
			kind = commonNumberKind(kind, w.numberKindOf(s, x))
		}
		return kind
	}
	if !mayHaveSeveralDecimalValues(values) {
		return join()
	}
	return w.cacheNumberKind(s, e, func() numberKind {
		kind := join()
		if kind == wideDecimalKind && w.findMixedDecimalToCastToDouble(s, values) >= 0 {
			return doubleKind
		}
		return kind
	})
}

// returnsTypeOfFirstArgument reports whether a function returns a value of the type of its first argument.
func returnsTypeOfFirstArgument(fn sqlexpr.Func) bool {
	switch fn {
	case sqlexpr.FnMin, sqlexpr.FnMax, sqlexpr.FnAnyValue, sqlexpr.FnPercentileDisc, sqlexpr.FnFirstValue, sqlexpr.FnLastValue,
		sqlexpr.FnNthValue, sqlexpr.FnLag, sqlexpr.FnLead, sqlexpr.FnAbs, sqlexpr.FnCeil, sqlexpr.FnFloor, sqlexpr.FnRound,
		sqlexpr.FnTrunc, sqlexpr.FnNullIf:
		return true
	}
	return false
}

func numberKindOfLiteral(text string) numberKind {
	if strings.ContainsAny(text, "eE") {
		return doubleKind
	}
	if _, fraction, _ := strings.Cut(text, "."); strings.Trim(fraction, "0") != "" {
		return shortDecimalKind
	}
	return integerKind
}

// maxDigitsOfDecimalIn64Bits is the number of digits of the decimals that DuckDB keeps in 64 bits.
const maxDigitsOfDecimalIn64Bits = 18

func numberKindOfCastType(t sqlexpr.TypeName) numberKind {
	if t.Type == sqlexpr.TypeDecimal && (len(t.Args) == 0 || t.Args[0] > maxDigitsOfDecimalIn64Bits) {
		return wideDecimalKind
	}
	if t.Type == sqlexpr.TypeUnknown {
		return unknownKind
	}
	return numberKindOfType(t.Type)
}

func numberKindOfType(t sqlexpr.Type) numberKind {
	switch t {
	case sqlexpr.TypeUnknown:
		return unknownKind
	case sqlexpr.TypeInt:
		return integerKind
	case sqlexpr.TypeDecimal:
		return shortDecimalKind
	case sqlexpr.TypeFloat:
		return doubleKind
	}
	return notNumericKind
}

// maxNestedSumsCompared is the number of sums of sums that are compared by their arguments.
const maxNestedSumsCompared = 8

// haveSameDecimalType reports whether two columns are certain to have values of one scale: both are made of one
// expression.
func (w *writer) haveSameDecimalType(a, b *outputColumn) bool {
	a, b = w.typeOriginOf(a), w.typeOriginOf(b)
	for range maxNestedSumsCompared {
		x, y := sumArgumentOrNil(a), sumArgumentOrNil(b)
		if x == nil || y == nil {
			break
		}
		a, b = w.typeOriginOf(x), w.typeOriginOf(y)
	}
	if !sqlexpr.Equal(a.expr, b.expr) {
		return false
	}
	same := true
	sqlexpr.Walk(a.expr, func(x sqlexpr.Expr) bool {
		switch x := x.(type) {
		case *sqlexpr.Ref:
			same = same && a.scope == b.scope
		case *sqlexpr.Column:
			_, ambiguous := w.typeOriginOfDerivedColumn(x)
			same = same && !ambiguous
		}
		return same
	})
	return same
}

// sumArgumentOrNil returns the argument of a column that is a SUM, nil for another column.
func sumArgumentOrNil(c *outputColumn) *outputColumn {
	e, ok := c.expr.(*sqlexpr.Call)
	if !ok || e.Fn != sqlexpr.FnSum {
		return nil
	}
	return &outputColumn{expr: e.Args[0], scope: c.scope}
}

// typeOriginOf returns the expression of which a column has the type: a column of a derived table leads to the expression there,
// and a choice between one value, NULL and integers to that value.
func (w *writer) typeOriginOf(c *outputColumn) *outputColumn {
	for {
		if column, ok := c.expr.(*sqlexpr.Column); ok {
			if origin, _ := w.typeOriginOfDerivedColumn(column); origin != nil {
				return origin
			}
			return c
		}
		inner := w.nextTypeOriginOf(c)
		if inner == nil {
			return c
		}
		c = inner
	}
}

// nextTypeOriginOf returns one step of typeOriginOf, nil at its end.
func (w *writer) nextTypeOriginOf(c *outputColumn) *outputColumn {
	switch e := c.expr.(type) {
	case *sqlexpr.Ref:
		if c.scope.hasColumnID(e.ID) {
			return &c.scope.cols[e.ID]
		}
	case *sqlexpr.Unary:
		if e.Op != sqlexpr.OpNot {
			return &outputColumn{expr: e.X, scope: c.scope}
		}
	case *sqlexpr.Case:
		return w.findOnlyNonIntegerValue(c.scope, sqlexpr.CaseResults(e))
	case *sqlexpr.WindowCall:
		if e.Call != nil && len(e.Call.Args) > 0 && !w.mayRoundLagLeadDefault(c.scope, e.Call) {
			return &outputColumn{expr: e.Call, scope: c.scope}
		}
	case *sqlexpr.Call:
		if isMinMaxOrAnyValue(e) || e.Fn == sqlexpr.FnNullIf || sqlexpr.InfoOfFunction(e.Fn).Class == sqlexpr.ClassWindow && returnsTypeOfFirstArgument(e.Fn) {
			return &outputColumn{expr: e.Args[0], scope: c.scope}
		}
		return w.findOnlyNonIntegerValue(c.scope, sqlexpr.ChosenArgs(e))
	}
	return nil
}

// findOnlyNonIntegerValue returns the only one of several values that is neither NULL nor an integer, nil where they are several or none.
func (w *writer) findOnlyNonIntegerValue(s *columnScope, values []sqlexpr.Expr) *outputColumn {
	var only sqlexpr.Expr
	for _, x := range values {
		switch k := w.numberKindOf(s, x); {
		case k == nullKind || k == integerKind:
		case only == nil:
			only = x
		case !sqlexpr.Equal(only, x):
			return nil
		}
	}
	if only == nil {
		return nil
	}
	return &outputColumn{expr: only, scope: s}
}

// derivedColumns are the columns of the derived tables of a statement. The kind and the origin of a column are found when an
// expression requests it.
type derivedColumns struct {
	// tables are the derived tables, the innermost first.
	tables []derivedTableColumnTypes
	// visible is the number of the tables, the first ones, that an expression can name: a table inside may have the alias
	// of one around it.
	visible int
	kinds   map[scopedExpr]numberKind
}

// derivedTableColumnTypes are the rows of a derived table, of one block or of a union.
type derivedTableColumnTypes struct {
	alias string
	block *selectBlock
	union *blockUnion
	// kinds and origins are those of the columns that were requested, by position; nil where none was.
	kinds   []cachedNumberKind
	origins []cachedTypeOrigin
}

type cachedNumberKind struct {
	known bool
	kind  numberKind
}

// cachedTypeOrigin is the only expression of a column, as typeOriginOf finds it, nil where it has several.
type cachedTypeOrigin struct {
	known  bool
	origin *outputColumn
}

func (t *derivedTableColumnTypes) columns() []outputColumn {
	if t.union != nil {
		return t.union.arms[0].out.cols
	}
	return t.block.out.cols
}

// visitDerivedColumnsNamed calls found with the table and the position of each column of a derived table that an expression may
// mean. Two tables of one name may be in different subqueries.
func (w *writer) visitDerivedColumnsNamed(c *sqlexpr.Column, found func(table, at int)) {
	if len(c.Path) != 2 || !c.Path[1].Quoted {
		return
	}
	tables := w.derivedColumns.tables[:w.derivedColumns.visible]
	for i := range tables {
		if tables[i].alias != c.Path[0].Text {
			continue
		}
		columns := tables[i].columns()
		for at := range columns {
			if columns[at].name == c.Path[1].Text {
				found(i, at)
			}
		}
	}
}

// numberKindOfDerivedColumn returns the kind of a column, the wider one of two tables of its name; a column of no derived table is of an
// unknown kind.
func (w *writer) numberKindOfDerivedColumn(c *sqlexpr.Column) numberKind {
	all, named := unknownKind, false
	w.visitDerivedColumnsNamed(c, func(table, at int) {
		kind := w.numberKindOfColumnAt(table, at)
		if !named || kind == wideDecimalKind || all != wideDecimalKind && kind < all {
			all, named = kind, true
		}
	})
	return all
}

// typeOriginOfDerivedColumn returns the origin of a column, nil where it has none. It is ambiguous where several tables have the
// name, unless they are one shared table.
func (w *writer) typeOriginOfDerivedColumn(c *sqlexpr.Column) (origin *outputColumn, ambiguous bool) {
	named, kind := false, unknownKind
	w.visitDerivedColumnsNamed(c, func(table, at int) {
		o, k := w.typeOriginOfColumnAt(table, at), w.numberKindOfColumnAt(table, at)
		if named && (ambiguous || o == nil || o != origin || k != kind) {
			o, ambiguous = nil, true
		}
		origin, kind, named = o, k, true
	})
	return origin, ambiguous
}

// numberKindOfColumnAt returns the kind of a column of a derived table.
func (w *writer) numberKindOfColumnAt(table, at int) numberKind {
	t := &w.derivedColumns.tables[table]
	if t.kinds == nil {
		t.kinds = make([]cachedNumberKind, len(t.columns()))
	}
	if t.kinds[at].known {
		return t.kinds[at].kind
	}
	outer := w.swapVisibleDerivedTableCount(table)
	kind := nullKind
	if t.union == nil {
		c := &t.block.out.cols[at]
		kind = w.numberKindOf(c.scope, c.expr)
	} else {
		for _, arm := range t.union.arms {
			kind = commonNumberKind(kind, w.numberKindOf(arm.out.cols[at].scope, arm.out.cols[at].expr))
		}
	}
	w.derivedColumns.visible = outer
	t.kinds[at] = cachedNumberKind{true, kind}
	return kind
}

// typeOriginOfColumnAt returns the origin of a column of a derived table.
func (w *writer) typeOriginOfColumnAt(table, at int) *outputColumn {
	t := &w.derivedColumns.tables[table]
	if t.origins == nil {
		t.origins = make([]cachedTypeOrigin, len(t.columns()))
	}
	if t.origins[at].known {
		return t.origins[at].origin
	}
	outer := w.swapVisibleDerivedTableCount(table)
	var origin *outputColumn
	if t.union == nil {
		origin = w.typeOriginOf(&t.block.out.cols[at])
	} else {
		origin = w.typeOriginOfUnionColumn(t.union, at)
	}
	w.derivedColumns.visible = outer
	t.origins[at] = cachedTypeOrigin{true, origin}
	return origin
}

// swapVisibleDerivedTableCount lets expressions name the tables before one, and returns the number of those that they could name.
func (w *writer) swapVisibleDerivedTableCount(table int) int {
	outer := w.derivedColumns.visible
	w.derivedColumns.visible = table
	return outer
}

func (w *writer) typeOriginOfUnionColumn(u *blockUnion, at int) *outputColumn {
	var origin *outputColumn
	for _, arm := range u.arms {
		value := &arm.out.cols[at]
		switch {
		case w.numberKindOf(value.scope, value.expr) == nullKind:
		case origin == nil:
			origin = w.typeOriginOf(value)
		case !w.haveSameDecimalType(origin, value):
			return nil
		}
	}
	return origin
}
