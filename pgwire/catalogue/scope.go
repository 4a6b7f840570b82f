package catalogue

import (
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
)

// typedExpr is an expression with its type.
type typedExpr struct {
	node ducksql.Node
	typ  uint32
	// text is the value of a literal without a type, which takes the type that its place has.
	text *string
	// parameter is the number of a parameter whose type is not known yet.
	parameter int
	fields    []recordField // of a record
	scale     numericScale
	// table and number are the place in the catalogue of a value that is a column.
	table  uint32
	number int16
	// textBytes is the estimated length of the value as text; 0 where its type decides.
	textBytes int
	// gathered marks a value that holds a text or list of several rows.
	gathered bool
	// effect acts for each row of the result; the node is the list of its arguments. Nil for any other value.
	effect effect
}

// recordField is a part of a record.
type recordField struct {
	name string
	typ  uint32
}

// scopeColumn is a column of a relation in FROM, or of a result.
type scopeColumn struct {
	name   string
	value  typedExpr
	hidden bool // * leaves it out
	// untyped marks a literal without a type: another part of a set operation gives it one.
	untyped bool
}

// scopeRelation is what a name of FROM means.
type scopeRelation struct {
	name    string
	columns []*scopeColumn
	merged  []*scopeColumn // of a join with USING or NATURAL: they are found without the name of a relation
}

// scope is what names mean at a place of a statement.
type scope struct {
	outer     *scope
	relations []*scopeRelation
	tables    map[string]*commonTable
}

// commonTable is a table of WITH.
type commonTable struct {
	name    string // in the printed statement
	columns []*scopeColumn
}

func newTextExpr(text string) typedExpr {
	return typedExpr{node: ducksql.TextLiteral(text), typ: textTypeOID}
}

func newNameExpr(text string) typedExpr {
	return typedExpr{node: ducksql.TextLiteral(text), typ: nameTypeOID}
}

func newBoolExpr(b bool) typedExpr { return typedExpr{node: ducksql.BoolLiteral(b), typ: boolTypeOID} }

func newIntExpr(n int64, typ uint32) typedExpr {
	if n < 0 || typ == int8TypeOID {
		return typedExpr{node: ducksql.FillTemplate("CAST(? AS "+duckDBTypeOf(typ)+")", ducksql.IntegerLiteral(n)), typ: typ}
	}
	return typedExpr{node: ducksql.IntegerLiteral(n), typ: typ}
}

func newNullExpr(typ uint32) typedExpr {
	return typedExpr{node: ducksql.FillTemplate("CAST(NULL AS " + duckDBTypeOf(typ) + ")"), typ: typ}
}

// newUntypedLiteral returns a literal without a type.
func newUntypedLiteral(text string) typedExpr {
	return typedExpr{node: ducksql.TextLiteral(text), typ: unknownTypeOID, text: &text}
}

func (s *scope) findCommonTable(name string) *commonTable {
	for ; s != nil; s = s.outer {
		if t, ok := s.tables[name]; ok {
			return t
		}
	}
	return nil
}
