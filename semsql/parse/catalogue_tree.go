package parse

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

func (*Operation) isExpr()  {}
func (*Quantified) isExpr() {}
func (*Subscript) isExpr()  {}
func (*PartOf) isExpr()     {}
func (*ArrayOf) isExpr()    {}
func (*ArrayQuery) isExpr() {}
func (*RowOf) isExpr()      {}
func (*Collated) isExpr()   {}

func (*Operation) isCatalogueExpr()  {}
func (*Quantified) isCatalogueExpr() {}
func (*Subscript) isCatalogueExpr()  {}
func (*PartOf) isCatalogueExpr()     {}
func (*ArrayOf) isCatalogueExpr()    {}
func (*ArrayQuery) isCatalogueExpr() {}
func (*RowOf) isCatalogueExpr()      {}
func (*Collated) isCatalogueExpr()   {}

func (*FunctionTable) isRelation()          {}
func (*FunctionTable) isCatalogueRelation() {}
func (*AliasedJoin) isRelation()            {}
func (*AliasedJoin) isCatalogueRelation()   {}

func (*Values) isBody() {}

// Expressions.
type (
	// Operation is an operator of PostgreSQL that semantic statements lack: x ~ y, x & y. All bind
	// as || does.
	Operation struct {
		Pos
		Operator    string
		Left, Right Expr
	}

	// Quantified is x = ANY (array), x ~ ALL (array): an operator between a value and each element
	// of an array.
	Quantified struct {
		Pos
		Operator string
		All      bool
		X, Array Expr
	}

	// Subscript is x[i], or x[i:j] where Slice is true; a bound of a slice that is absent is nil.
	Subscript struct {
		Pos
		X          Expr
		Slice      bool
		Index, End Expr
	}

	// PartOf is (x).name, and (x).* where the name is empty.
	PartOf struct {
		Pos
		X    Expr
		Name Name
	}

	// ArrayOf is ARRAY[x, y].
	ArrayOf struct {
		Pos
		Items []Expr
	}

	// ArrayQuery is ARRAY(SELECT …).
	ArrayQuery struct {
		Pos
		Query *Query
	}

	// RowOf is (x, y), a row of several values.
	RowOf struct {
		Pos
		Items []Expr
	}

	// Collated is x COLLATE name.
	Collated struct {
		Pos
		X         Expr
		Collation Name
	}
)

// FunctionTable is a function in FROM.
type FunctionTable struct {
	Pos
	Lateral    bool
	Call       *Call
	Ordinality bool
	Alias      *TableAlias // nil when absent
}

// AliasedJoin is a join in parentheses with a name.
type AliasedJoin struct {
	Pos
	Join  Relation
	Alias *TableAlias
}

// Values is VALUES (x, y), (z, w) as a query.
type Values struct {
	Pos
	Rows []*RowOf
}
