package parse

// Relation is what can be in FROM. The set is sealed: *Table, *DerivedTable, *Join and
// *SemanticView.
//
//sumtype:decl
type Relation interface {
	Node
	isRelation()
}

func (*Table) isRelation()        {}
func (*DerivedTable) isRelation() {}
func (*Join) isRelation()         {}
func (*SemanticView) isRelation() {}

// TableAlias is the name of a relation inside a select, and the names of its columns.
type TableAlias struct {
	Position
	Name    Name
	Columns []Name // empty when the text gives none
}

// Table is a relation by name: a dataset, the wide relation, or a common table. Path is
// relation, schema.relation or database.schema.relation.
type Table struct {
	Position
	Path  []Name
	Alias *TableAlias // nil when absent
}

// DerivedTable is a query in FROM.
type DerivedTable struct {
	Position
	Lateral bool
	Query   *Query
	Alias   *TableAlias // nil when absent
}

// JoinKind is INNER, LEFT, RIGHT, FULL or CROSS.
type JoinKind uint8

// The kinds of join.
const (
	InnerJoin JoinKind = iota
	LeftJoin
	RightJoin
	FullJoin
	CrossJoin
)

var joinKindNames = [...]string{"INNER", "LEFT", "RIGHT", "FULL", "CROSS"}

// String returns the kind in SQL.
func (k JoinKind) String() string { return joinKindNames[k] }

// Join is two relations and what relates their rows: On, Using or Natural; none of them in a
// CrossJoin. Its position is that of the left relation.
type Join struct {
	Position
	Kind        JoinKind
	Natural     bool
	Left, Right Relation
	On          Expr   // nil when absent
	Using       []Name // empty when absent
}

// SemanticView is SEMANTIC_VIEW(model DIMENSIONS … FACTS … METRICS … WHERE …). At least one of
// the three lists holds an item, and Facts and Metrics do not both. Alias names the view and
// its outputs. A path of an item has at most two parts.
type SemanticView struct {
	Position
	Model      []Name // model, or schema.model, or database.schema.model
	Dimensions []*SelectItem
	Facts      []*SelectItem
	Metrics    []*SelectItem
	Where      Expr        // nil when absent
	Alias      *TableAlias // nil when absent
}
