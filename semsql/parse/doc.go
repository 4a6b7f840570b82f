// Package parse is the syntax of semantic SQL: the tree of a SELECT statement whose
// relations and measures are those of a model.
//
//	text ──Parse──► *Query (sealed tree) ──Format──► canonical text
//
// The tree has two sealed sets of nodes. A Relation is what can be in FROM; an Expr is
// what can be in a list of items or in a condition. A Query holds a Body: one Select, or a
// SetOperation of several.
//
// The package has no model: whether a name is a field, a measure or a dataset is for the
// packages that read the tree. Spellings of one meaning have one form in the tree: x ~~ y is
// a Like, x = ANY (ARRAY[1, 2]) and x IN (VALUES (1), (2)) are an In, x::date is a Cast, AGG(m)
// is a Measure. Operators bind and names are reserved as in PostgreSQL.
//
// Nodes that statements and models share are types of sqlexpr; parse names them too, because the protocols import the syntax of
// statements and not the modules of models. A node of statements alone embeds sqlexpr.Position, or parse.Position where it is a
// clause. sqlexpr never learns these nodes: its functions over one node take a function for the operands.
//
// An Error has the code and the SQLSTATE that a client gets, and a position in characters. What
// the text of PostgreSQL has and the language lacks is rejected by its name: as sql_read_only
// where it writes, else as sql_unsupported. All else that does not parse is sql_syntax.
package parse
