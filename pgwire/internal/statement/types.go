package statement

// Statement is one statement. The set is sealed: every one is a type of this file.
type Statement interface{ isStatement() }

func (*Empty) isStatement()            {}
func (*Select) isStatement()           {}
func (*Set) isStatement()              {}
func (*SetWithoutEffect) isStatement() {}
func (*SetRole) isStatement()          {}
func (*SetIsolation) isStatement()     {}
func (*Reset) isStatement()            {}
func (*Show) isStatement()             {}
func (*Discard) isStatement()          {}
func (*Begin) isStatement()            {}
func (*Commit) isStatement()           {}
func (*Rollback) isStatement()         {}
func (*Savepoint) isStatement()        {}
func (*Release) isStatement()          {}
func (*RollbackTo) isStatement()       {}
func (*Prepare) isStatement()          {}
func (*Execute) isStatement()          {}
func (*Deallocate) isStatement()       {}
func (*Declare) isStatement()          {}
func (*Fetch) isStatement()            {}
func (*CloseCursor) isStatement() {
}
func (*Listen) isStatement()         {}
func (*LockForReading) isStatement() {}
func (*Explain) isStatement()        {}
func (*Copy) isStatement()           {}

type (
	// Empty is a text without a statement.
	Empty struct{}

	// Select is a query: SELECT, WITH, VALUES or a query in parentheses.
	Select struct{ Text string }

	// Set is SET name TO value. A nil Value is DEFAULT.
	Set struct {
		Name  string
		Value *string
		Local bool
	}

	// SetWithoutEffect is a SET whose effect a server that only reads has already: of the transaction, or of no role.
	SetWithoutEffect struct{ Reset bool }
	// SetRole is SET ROLE or SET SESSION AUTHORIZATION with a name.
	SetRole struct{ Name string }

	// Reset is RESET name; Name is "" for all variables.
	Reset struct{ Name string }

	// Show is SHOW name; Name is "" for all variables.
	Show struct{ Name string }

	// Discard is DISCARD ALL, PLANS, SEQUENCES or TEMP.
	Discard struct{ What string }

	// Begin is BEGIN or START TRANSACTION.
	Begin struct {
		Start     bool
		Isolation string // in lower case; "" where none is named
	}

	// SetIsolation is SET TRANSACTION or SET SESSION CHARACTERISTICS with a level of isolation, in lower case.
	SetIsolation struct {
		Isolation string
		Session   bool
	}

	// Commit is COMMIT or END. Chain begins another transaction.
	Commit struct{ Chain bool }

	// Rollback is ROLLBACK or ABORT.
	Rollback struct{ Chain bool }

	// Savepoint is SAVEPOINT name.
	Savepoint struct{ Name string }

	// Release is RELEASE [SAVEPOINT] name.
	Release struct{ Name string }

	// RollbackTo is ROLLBACK TO [SAVEPOINT] name.
	RollbackTo struct{ Name string }

	// Prepare is PREPARE name (types) AS text.
	Prepare struct {
		Name   string
		Types  []string // in lower case
		Text   string
		Before int // characters before Text
	}

	// Execute is EXECUTE name (values).
	Execute struct {
		Name   string
		Values []ExecuteConstant
	}

	// Deallocate is DEALLOCATE name; Name is "" for all.
	Deallocate struct{ Name string }

	// Declare is DECLARE name CURSOR FOR text.
	Declare struct {
		Name     string
		Hold     bool
		Scroll   bool
		Binary   bool
		Text     string
		Before   int // characters before Text
		Position int // of DECLARE, for errors of what is rejected
	}

	// Fetch is FETCH or, with Move, MOVE: Count rows forward, of cursor Name. A negative Count is backward.
	Fetch struct {
		Name  string
		Move  bool
		All   bool
		Count int64
		// Absolute is a fetch of one row by its number or at the current place, which only a cursor that scrolls has.
		Absolute bool
	}

	// CloseCursor is CLOSE name; Name is "" for all.
	CloseCursor struct{ Name string }

	// Listen is LISTEN or, with Stop, UNLISTEN.
	Listen struct{ Stop bool }

	// LockForReading is LOCK TABLE with ACCESS SHARE, which blocks no SELECT.
	LockForReading struct{}

	// Explain is EXPLAIN text.
	Explain struct {
		Text   string
		Before int // characters before Text
	}

	// Copy is COPY (text) TO STDOUT. Text is the SELECT of a relation where the statement names one.
	Copy struct {
		Text      string
		Before    int // characters before Text; negative where the statement does not hold it
		Binary    bool
		CSV       bool
		Header    bool
		Delimiter byte
		Null      string
		Quote     byte
		Escape    byte
		ForceAll  bool // every value has quotes
	}
)

// QueryText returns the text of the query that a statement is or holds and the characters before it; false for any other statement.
func QueryText(s Statement) (text string, before int, ok bool) {
	switch s := s.(type) {
	case *Select:
		return s.Text, 0, true
	case *Declare:
		return s.Text, s.Before, true
	case *Explain:
		return s.Text, s.Before, true
	case *Copy:
		return s.Text, s.Before, true
	}
	return "", 0, false
}

// ExecuteConstant is a constant.
type ExecuteConstant struct {
	Text string
	Null bool
	// Type is the type that the constant is written with, or has by itself: "" for a text.
	Type string
}
