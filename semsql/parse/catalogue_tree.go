package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// CatalogueExpr is an expression that only a statement about the catalogue of a database can hold.
// The set is sealed. No other parser of this package makes one.
type CatalogueExpr interface {
	Expr
	isCatalogueExpr()
}

// CatalogueRelation is what only a statement about the catalogue can have in FROM. The set is sealed.
type CatalogueRelation interface {
	Relation
	isCatalogueRelation()
}

func (*CatalogueOperation) isCatalogueExpr()   {}
func (*QuantifiedComparison) isCatalogueExpr() {}
func (*Subscript) isCatalogueExpr()            {}
func (*FieldSelection) isCatalogueExpr()       {}
func (*ArrayConstructor) isCatalogueExpr()     {}
func (*ArraySubquery) isCatalogueExpr()        {}
func (*RowConstructor) isCatalogueExpr()       {}
func (*Collated) isCatalogueExpr()             {}
func (*Variadic) isCatalogueExpr()             {}

func (*FunctionTable) isRelation()          {}
func (*FunctionTable) isCatalogueRelation() {}
func (*AliasedJoin) isRelation()            {}
func (*AliasedJoin) isCatalogueRelation()   {}

func (*Values) isBody() {}

// Expressions.
type (
	// CatalogueOperation is an operator of PostgreSQL that semantic statements lack: x ~ y, x & y. All bind
	// as || does.
	CatalogueOperation struct {
		sqlexpr.Position
		Operator    string
		Left, Right Expr
	}

	// QuantifiedComparison is x = ANY (array), x ~ ALL (array): an operator between a value and each element
	// of an array.
	QuantifiedComparison struct {
		sqlexpr.Position
		Operator string
		All      bool
		X, Array Expr
	}

	// Subscript is x[i], or x[i:j] where Slice is true; a bound of a slice that is absent is nil.
	Subscript struct {
		sqlexpr.Position
		X          Expr
		Slice      bool
		Index, End Expr
	}

	// FieldSelection is (x).name, and (x).* where the name is empty.
	FieldSelection struct {
		sqlexpr.Position
		X    Expr
		Name Name
	}

	// ArrayConstructor is ARRAY[x, y].
	ArrayConstructor struct {
		sqlexpr.Position
		Items []Expr
	}

	// ArraySubquery is ARRAY(SELECT …).
	ArraySubquery struct {
		sqlexpr.Position
		Query *Query
	}

	// RowConstructor is (x, y), a row of several values.
	RowConstructor struct {
		sqlexpr.Position
		Items []Expr
	}

	// Collated is x COLLATE name.
	Collated struct {
		sqlexpr.Position
		X         Expr
		Collation Name
	}

	// Variadic is VARIADIC x, the last argument of a call: an array of further arguments.
	Variadic struct {
		sqlexpr.Position
		X Expr
	}
)

// FunctionTable is a function in FROM.
type FunctionTable struct {
	Position
	Lateral    bool
	Call       *Call
	Ordinality bool
	Alias      *TableAlias // nil when absent
}

// AliasedJoin is a join in parentheses with a name.
type AliasedJoin struct {
	Position
	Join  Relation
	Alias *TableAlias
}

// Values is VALUES (x, y), (z, w) as a query.
type Values struct {
	Position
	Rows []*RowConstructor
}
