package pgwire

// transaction is the state of a session's transaction. It gives no snapshot of the data.
type transaction struct {
	state      transactionState
	before     snapshot // of the variables
	portalID   int      // the last portal before it
	savepoints []savepoint
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
	variables snapshot
	portalID  int // the last portal before it
}

// maxSavepoints bounds the savepoints of a transaction.
const maxSavepoints = 1000

func (t *transaction) status() byte {
	if t.state == 0 {
		return byte(transactionNone)
	}
	return byte(t.state)
}

func (t *transaction) isOpen() bool {
	return t.state == transactionOpen || t.state == transactionFailed
}

// begin opens a transaction.
func (s *session) begin() {
	s.tx = transaction{state: transactionOpen, before: s.variables.snapshot(), portalID: s.portalID}
}

// endTransaction ends a transaction and closes its portals, but not cursors WITH HOLD. With undo the variables are those before it, and
// it closes the cursors WITH HOLD that it has declared.
func (s *session) endTransaction(undo bool) {
	for name, p := range s.portals {
		if !p.isHeld || undo && p.id > s.tx.portalID {
			p.close()
			delete(s.portals, name)
		}
	}
	if undo && s.tx.isOpen() {
		s.variables.restore(s.tx.before)
	}
	s.variables.endTransaction()
	s.tx = transaction{}
}

// endImplicitTransaction ends the transaction that a message outside of BEGIN is.
func (s *session) endImplicitTransaction() {
	if !s.tx.isOpen() {
		s.endTransaction(false)
	}
	s.reportVariables()
}

// closePortalsAfter closes the portals after one.
func (s *session) closePortalsAfter(after int) {
	for name, p := range s.portals {
		if p.id > after {
			p.close()
			delete(s.portals, name)
		}
	}
}

// failTransaction makes a transaction wait for its end, after an error.
func (s *session) failTransaction() {
	if s.tx.state == transactionOpen {
		s.tx.state = transactionFailed
	}
}

func (s *session) addSavepoint(name string) error {
	if s.tx.state != transactionOpen {
		return newError(stateNoTransaction, "SAVEPOINT can only be used in transaction blocks")
	}
	if len(s.tx.savepoints) == maxSavepoints {
		return newError(stateConfiguration, "the transaction has as many savepoints as it may")
	}
	s.tx.savepoints = append(s.tx.savepoints, savepoint{name, s.variables.snapshot(), s.portalID})
	return nil
}

// findSavepoint returns the place of a savepoint among those of the transaction.
func (s *session) findSavepoint(name, statement string) (int, error) {
	if !s.tx.isOpen() {
		return 0, newError(stateNoTransaction, statement+" can only be used in transaction blocks")
	}
	for i := len(s.tx.savepoints) - 1; i >= 0; i-- {
		if s.tx.savepoints[i].name == name {
			return i, nil
		}
	}
	return 0, newError(stateNoSavepoint, "there is no savepoint "+clip(name))
}

func (s *session) releaseSavepoint(name string) error {
	i, err := s.findSavepoint(name, "RELEASE SAVEPOINT")
	if err != nil {
		return err
	}
	s.tx.savepoints = s.tx.savepoints[:i]
	return nil
}

// rollbackTo goes back to a savepoint, which stays.
func (s *session) rollbackTo(name string) error {
	i, err := s.findSavepoint(name, "ROLLBACK TO SAVEPOINT")
	if err != nil {
		return err
	}
	at := s.tx.savepoints[i]
	s.tx.savepoints = s.tx.savepoints[:i+1]
	s.tx.state = transactionOpen
	s.variables.restore(at.variables)
	s.closePortalsAfter(at.portalID)
	return nil
}
