package pgwire

import (
	"context"
	"net/netip"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/semsql/parse"
)

// Catalogue answers the statements that read no rows of the model: those about the catalogue of the
// database (pg_catalog, information_schema) and those without a relation (SELECT version()). It is
// safe for concurrent use. It leaves the tree of a statement as it is. Its errors are *engine.SQLError, or what ctx ended with.
type Catalogue interface {
	// Describe finds the columns of a statement and the types of its parameters, and reads no rows.
	// Of declared, the types that the client gives its parameters, 0 means that the statement decides.
	Describe(ctx context.Context, s CatalogueSession, statement *parse.Statement, declared []uint32) (StatementDescription, error)
	// ColumnNumbers returns the OID of a relation of the session's model and the number of its column; 0 for a name that it does not list.
	ColumnNumbers(s CatalogueSession, relation, column string) (table uint32, attribute uint16)
	// Answer reads the rows of a statement.
	Answer(ctx context.Context, s CatalogueSession, statement *parse.Statement, params []BindParameterValue) (CatalogueRows, error)
}

// CatalogueSession is what a statement may ask of the session that sends it.
type CatalogueSession struct {
	Model     CatalogueModel
	Database  string // name of the model in the session
	User      string
	ProcessID uint32
	Databases []ModelDatabase // of the server, in the order of the models
	Version   string          // of the program; version() is "PostgreSQL 15.0 (semlayer <version>)"
	Variables SessionVariables
	Server    netip.AddrPort
	Client    netip.AddrPort
	Sessions  SessionSignals // nil where none are reached
}

// SessionSignals reaches the sessions of the server that have the identity of one session.
type SessionSignals interface {
	// Signal ends the running statement of a session, or the session with terminate. It reports whether there is such a session.
	Signal(processID uint32, terminate bool) bool
}

// CatalogueModel is one revision of a model; *engine.Engine implements it.
type CatalogueModel interface {
	Revision() string
	// ViewKey is different for models whose relations differ: those of other revisions, and of other readers.
	ViewKey() string
	Relations() []engine.RelationInfo
}

// ModelDatabase is a model as a database.
type ModelDatabase struct {
	Name        string
	Description string
}

// SessionVariables are the variables of a session: TimeZone, search_path, semlayer.connection. Names
// have any case.
type SessionVariables interface {
	// Lookup returns the value of a variable; false for an unknown name.
	Lookup(name string) (value string, ok bool)
	// List lists all variables in the order of their names.
	List() []SessionVariable
	// Set does what SET does, or SET LOCAL.
	Set(name, value string, local bool) error
}

// SessionVariable is a variable with its value.
type SessionVariable struct {
	Name        string
	Value       string
	Description string
}

// BindParameterValue is the value of a parameter.
type BindParameterValue struct {
	Type uint32 // OID; 0 where neither the client nor Describe names one
	Text string // in the text form of the type, also where the client has sent the binary one
	Null bool
}

// Column is a column of a result.
type Column struct {
	Name string
	Type uint32 // OID
	// Table and Attribute are the OID of the relation and the number of its column; 0 for an expression.
	Table     uint32
	Attribute uint16
}

// StatementDescription is what is known of a statement before it is executed.
type StatementDescription struct {
	Columns    []Column
	Parameters []uint32 // OID of the type of each parameter
}

// CatalogueRows are the rows of a catalogue statement. A nil value is NULL. A bool, int2, int4, int8, oid, float4
// and float8 is a bool, an int64 or a float64; an array is a []any of such values; a value of any other
// type is a string in the text form of the type.
type CatalogueRows struct {
	Columns []Column
	Rows    [][]any
	// Close gives the memory of the rows back to the budget of the process; nil where none is counted.
	Close func()
}
