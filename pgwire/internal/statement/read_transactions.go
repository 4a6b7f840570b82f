package statement

func (r *reader) readBegin() (Statement, error) {
	_ = r.acceptWords("transaction") || r.acceptWords("work")
	return r.readTransactionModes(&Begin{})
}

func (r *reader) readStartTransaction() (Statement, error) {
	if !r.acceptWords("transaction") {
		return nil, r.unexpectedTokenError("TRANSACTION")
	}
	return r.readTransactionModes(&Begin{Start: true})
}

// readTransactionModes reads the modes of a transaction. None has an effect: every transaction only reads.
func (r *reader) readTransactionModes(s Statement) (Statement, error) {
	for !r.isAtEnd() {
		if !r.readTransactionMode() {
			return nil, r.unexpectedTokenError("a mode of a transaction")
		}
		r.acceptSymbol(",")
	}
	return s, nil
}

func (r *reader) readTransactionMode() bool {
	for _, mode := range []string{
		"read only", "read write", "deferrable", "not deferrable", "isolation level serializable", "isolation level repeatable read",
		"isolation level read committed", "isolation level read uncommitted",
	} {
		if r.acceptWords(mode) {
			return true
		}
	}
	return false
}

func (r *reader) readCommit() (Statement, error) {
	if r.peekToken(0).IsWord("prepared") {
		return nil, r.unsupportedStatementError()
	}
	chain, err := r.readTransactionChain()
	return &Commit{Chain: chain}, err
}

// readTransactionChain reads [WORK|TRANSACTION] [AND [NO] CHAIN].
func (r *reader) readTransactionChain() (chain bool, err error) {
	_ = r.acceptWords("transaction") || r.acceptWords("work")
	if !r.acceptWords("and no chain") {
		chain = r.acceptWords("and chain")
	}
	if !r.isAtEnd() {
		return false, r.unexpectedTokenError("the end of the statement")
	}
	return chain, nil
}

func (r *reader) readRollback() (Statement, error) {
	if r.peekToken(0).IsWord("prepared") {
		return nil, r.unsupportedStatementError()
	}
	at := r.at
	_ = r.acceptWords("transaction") || r.acceptWords("work")
	if r.acceptWords("to") {
		r.acceptWords("savepoint")
		name, err := r.expectName()
		if err != nil {
			return nil, err
		}
		return r.expectEnd(&RollbackTo{Name: name})
	}
	r.at = at
	chain, err := r.readTransactionChain()
	return &Rollback{Chain: chain}, err
}

func (r *reader) readSavepoint() (Statement, error) {
	name, err := r.expectName()
	if err != nil {
		return nil, err
	}
	return r.expectEnd(&Savepoint{Name: name})
}

func (r *reader) readRelease() (Statement, error) {
	r.acceptWords("savepoint")
	name, err := r.expectName()
	if err != nil {
		return nil, err
	}
	return r.expectEnd(&Release{Name: name})
}
