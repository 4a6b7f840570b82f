package pgwire

import "strings"

// transaction is the state of a session's transaction. It gives no snapshot of the data. Without BEGIN, the statements of one message, or
// those up to a Sync, are one.
type transaction struct {
	state      transactionState
	before     variablesSnapshot // of the variables
	portalID   int               // the last portal before it
	savepoints []savepoint
	undo       bool // a statement outside of BEGIN has failed
}

type transactionState byte

const (
	transactionNone   transactionState = 'I'
	transactionOpen   transactionState = 'T'
	transactionFailed transactionState = 'E'
)

// savepoint is a place in a transaction to go back to.
type savepoint struct {
	name      string
	variables variablesSnapshot
	portalID  int // the last portal before it
}

// maxSavepoints bounds the savepoints of a transaction.
const maxSavepoints = 1000

func (t *transaction) statusByte() byte {
	if t.state == 0 {
		return byte(transactionNone)
	}
	return byte(t.state)
}

func (t *transaction) isOpenOrFailed() bool {
	return t.state == transactionOpen || t.state == transactionFailed
}

// beginTransaction opens a transaction. The statements before it in the same message belong to it.
func (s *session) beginTransaction() { s.tx.state = transactionOpen }

// isInSharedTransaction reports whether the running statement shares its transaction with others: within BEGIN, and as one of several statements of
// a message.
func (s *session) isInSharedTransaction() bool { return s.tx.isOpenOrFailed() || s.severalStatements }

// endTransaction ends a transaction and closes its portals, but not cursors WITH HOLD. With undo the variables are those before it, and
// it closes the cursors WITH HOLD that it has declared.
func (s *session) endTransaction(undo bool) {
	for name, p := range s.portals {
		if !p.isHeld || undo && p.id > s.tx.portalID {
			p.close()
			delete(s.portals, name)
		}
	}
	if undo {
		s.variables.restore(s.tx.before)
	}
	s.variables.clearLocalValues()
	s.tx = transaction{before: s.variables.snapshot(), portalID: s.portalID}
}

// endImplicitTransaction ends the transaction that a message outside of BEGIN is.
func (s *session) endImplicitTransaction() {
	if !s.tx.isOpenOrFailed() {
		s.endTransaction(s.tx.undo)
	}
	s.sendChangedVariables()
}

// closePortalsOpenedAfter closes the portals after one.
func (s *session) closePortalsOpenedAfter(after int) {
	for name, p := range s.portals {
		if p.id > after {
			p.close()
			delete(s.portals, name)
		}
	}
}

// failTransaction makes a transaction wait for its end, after an error. That of a message is taken back there.
func (s *session) failTransaction() {
	if s.tx.isOpenOrFailed() {
		s.tx.state = transactionFailed
	} else {
		s.tx.undo = true
	}
}

func (s *session) addSavepoint(name string) error {
	if s.tx.state != transactionOpen {
		return newSessionError(sqlstateNoActiveTransaction, "SAVEPOINT can only be used in transaction blocks")
	}
	if len(s.tx.savepoints) == maxSavepoints {
		return newSessionError(sqlstateConfigurationLimitExceeded, "the transaction has the maximum number of savepoints")
	}
	one := savepoint{strings.Clone(name), s.variables.snapshot(), s.portalID}
	if err := s.growKept(one.keptBytes()); err != nil {
		return err
	}
	s.tx.savepoints = append(s.tx.savepoints, one)
	return nil
}

// findSavepoint returns the place of a savepoint among those of the transaction.
func (s *session) findSavepoint(name, statement string) (int, error) {
	if !s.tx.isOpenOrFailed() {
		return 0, newSessionError(sqlstateNoActiveTransaction, statement+" can only be used in transaction blocks")
	}
	for i := len(s.tx.savepoints) - 1; i >= 0; i-- {
		if s.tx.savepoints[i].name == name {
			return i, nil
		}
	}
	return 0, newSessionError(sqlstateUnknownSavepoint, "there is no savepoint "+clipText(name))
}

func (s *session) releaseSavepoint(name string) error {
	i, err := s.findSavepoint(name, "RELEASE SAVEPOINT")
	if err != nil {
		return err
	}
	s.tx.savepoints = s.tx.savepoints[:i]
	return nil
}

// rollbackToSavepoint goes back to a savepoint, which stays.
func (s *session) rollbackToSavepoint(name string) error {
	i, err := s.findSavepoint(name, "ROLLBACK TO SAVEPOINT")
	if err != nil {
		return err
	}
	at := s.tx.savepoints[i]
	s.tx.savepoints = s.tx.savepoints[:i+1]
	s.tx.state = transactionOpen
	s.variables.restore(at.variables)
	s.closePortalsOpenedAfter(at.portalID)
	return nil
}
