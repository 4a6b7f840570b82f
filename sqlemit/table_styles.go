package sqlemit

// TableWriting is how a build writes a table of a dialect while queries read it.
type TableWriting struct {
	Swap TableSwap
	// Begin starts a transaction for changes of rows, and with SwapRename of tables; "" where a session has no transactions.
	Begin string
	// Partial: a transaction replaces some of the rows of a table.
	Partial bool
	// Indexes: tables have indexes.
	Indexes bool
	// Grants is when roles are given the right to read.
	Grants TableGrants
}

// TableSwap is how a new table takes the place of another one.
type TableSwap uint8

// The ways, each of which is one step for those that read.
const (
	SwapNone     TableSwap = iota // there is none
	SwapRename                    // DropTable and RenameTable in a transaction
	SwapTogether                  // RenameTables
	SwapExchange                  // ExchangeTables, and RenameTables where there is no other table yet
	SwapReplace                   // ReplaceTableAs, which also makes the new table
)

// TableGrants is when roles are given the right to read a new table.
type TableGrants uint8

// The times.
const (
	GrantsNone   TableGrants = iota // there are no roles
	GrantsBefore                    // before the swap: the right belongs to the table
	GrantsAfter                     // after the swap: the right belongs to the name, or the table is made by the swap
)

// TableWriting returns how a build writes a table.
func (d *Dialect) TableWriting() TableWriting { return d.tables.writing }

// tableStyle is how tables are made.
type tableStyle struct {
	writing TableWriting
	// engine follows the name of a table that is created, where an engine needs it.
	engine string
	// replaced follows the name of a table that takes the place of another one.
	replaced string
	// text, integer and timestamp are the types of columns.
	text, integer, timestamp string
	// toInteger is written before and after the name of a column whose values become integers of 64 bits; empty where no statement changes the type.
	toInteger literalAffixes
	// indexInSchema: the name of an index has the schema, and the table of the index has none.
	indexInSchema bool
	grant         grantStyle
}

// grantStyle is how a role is given the right to read a table.
type grantStyle struct {
	before, to string
	role       func(w *writer, role string)
}

var standardGrant = grantStyle{"GRANT SELECT ON ", " TO ", (*writer).printQuotedName}

// mysqlTables is the style of the MySQL family, in which grants belong to a name.
var mysqlTables = tableStyle{
	writing: TableWriting{Swap: SwapTogether, Begin: "BEGIN", Partial: true, Indexes: true, Grants: GrantsAfter},
	text:    "VARCHAR(255)", integer: "BIGINT", timestamp: "DATETIME(6)",
	toInteger: literalAffixes{" MODIFY COLUMN ", " BIGINT"},
	grant:     grantStyle{"GRANT SELECT ON ", " TO ", printRoleWithHost},
}

// standardTables is the style of engines whose transactions hold statements about tables.
var standardTables = tableStyle{
	writing: TableWriting{Swap: SwapRename, Begin: "BEGIN", Partial: true},
	text:    "VARCHAR(255)", integer: "BIGINT", timestamp: "TIMESTAMP",
	toInteger: literalAffixes{" ALTER COLUMN ", " TYPE BIGINT"},
}
