package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// derivedColumns are the columns of the derived tables of a statement. What is known of a column is found when an
// expression asks for it.
type derivedColumns struct {
	// tables are the derived tables, the innermost first.
	tables []derivedRows
	// visible is the number of the tables, the first ones, that an expression can name: a table inside may have the alias
	// of one around it.
	visible int
	kinds   map[scopedExpr]numberKind
}

// derivedRows are the rows of a derived table, of one block or of a union.
type derivedRows struct {
	alias string
	block *selectBlock
	union *blockUnion
	// known are the columns that were asked for, by position; nil where none was.
	known []*derivedColumn
}

func (t *derivedRows) columns() []outputColumn {
	if t.union != nil {
		return t.union.arms[0].out.cols
	}
	return t.block.out.cols
}

// keep keeps what is known of a column.
func (t *derivedRows) keep(at int, c *derivedColumn) {
	if t.known == nil {
		t.known = make([]*derivedColumn, len(t.columns()))
	}
	t.known[at] = c
}

// derivedColumn is what is known of the values of a column of a derived table.
type derivedColumn struct {
	kind numberKind
	// origin is the only expression of the column, as originOf finds it, nil where it has several.
	origin *outputColumn
	// ambiguous: several derived tables have the name of this one.
	ambiguous bool
}

// combine is what is known of a column where two tables of one name may be in different subqueries; unless they are one
// shared table, the wider kind is then that of both.
func (c derivedColumn) combine(other derivedColumn) derivedColumn {
	if other == c && c.origin != nil {
		return c
	}
	c.origin, c.ambiguous = nil, true
	if other.kind == wideDecimal || c.kind != wideDecimal && other.kind < c.kind {
		c.kind = other.kind
	}
	return c
}

// findDerivedColumn is what is known of a column, which is of an unknown kind where it is of no derived table.
func (w *writer) findDerivedColumn(c *sqlexpr.Column) derivedColumn {
	found, isNamed := derivedColumn{kind: unknownKind}, false
	if len(c.Path) != 2 || !c.Path[1].Quoted {
		return found
	}
	tables := w.derivedColumns.tables[:w.derivedColumns.visible]
	for i := range tables {
		if tables[i].alias != c.Path[0].Text {
			continue
		}
		columns := tables[i].columns()
		for at := range columns {
			if columns[at].name != c.Path[1].Text {
				continue
			}
			known := w.readDerivedColumn(i, at)
			if isNamed {
				known = known.combine(found)
			}
			found, isNamed = known, true
		}
	}
	return found
}

// readDerivedColumn finds what is known of a column by its expressions, which see the tables before its own.
func (w *writer) readDerivedColumn(table, at int) derivedColumn {
	t := &w.derivedColumns.tables[table]
	if t.known != nil && t.known[at] != nil {
		return *t.known[at]
	}
	visible := w.derivedColumns.visible
	w.derivedColumns.visible = table
	var c derivedColumn
	if t.union != nil {
		c = w.readUnionColumn(t.union, at)
	} else {
		value := &t.block.out.cols[at]
		c = derivedColumn{kind: w.numberKindOf(value.scope, value.expr), origin: w.originOf(value)}
	}
	w.derivedColumns.visible = visible
	t.keep(at, &c)
	return c
}

func (w *writer) readUnionColumn(u *blockUnion, at int) derivedColumn {
	all := derivedColumn{kind: nullKind}
	for _, arm := range u.arms {
		value := &arm.out.cols[at]
		kind := w.numberKindOf(value.scope, value.expr)
		if kind == nullKind {
			continue
		}
		if all.kind == nullKind {
			all.origin = w.originOf(value)
		} else if all.origin != nil && !w.haveSameDecimalType(all.origin, value) {
			all.origin = nil
		}
		all.kind = joinNumberKinds(all.kind, kind)
	}
	return all
}
