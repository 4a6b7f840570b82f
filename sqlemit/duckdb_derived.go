package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

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
