package statement

func (r *reader) readBegin() (Statement, error) {
	_ = r.acceptWords("transaction") || r.acceptWords("work")
	isolation, err := r.readTransactionModes()
	return &Begin{Isolation: isolation}, err
}

func (r *reader) readStartTransaction() (Statement, error) {
	if !r.acceptWords("transaction") {
		return nil, r.unexpectedTokenError("TRANSACTION")
	}
	isolation, err := r.readTransactionModes()
	return &Begin{Start: true, Isolation: isolation}, err
}

// readSetTransaction reads the modes of SET TRANSACTION and SET SESSION CHARACTERISTICS.
func (r *reader) readSetTransaction(session bool) (Statement, error) {
	if r.isAtEnd() {
		return nil, r.unexpectedTokenError("a mode of a transaction")
	}
	isolation, err := r.readTransactionModes()
	if isolation == "" || err != nil {
		return &SetWithoutEffect{}, err
	}
	return &SetIsolation{Isolation: isolation, Session: session}, nil
}

// readTransactionModes reads the modes of a transaction and returns the level of isolation, which is only shown. The others have no effect:
// every transaction only reads.
func (r *reader) readTransactionModes() (isolation string, err error) {
	for !r.isAtEnd() {
		level, ok := r.readTransactionMode()
		if !ok {
			return "", r.unexpectedTokenError("a mode of a transaction")
		}
		if level != "" {
			isolation = level
		}
		r.acceptSymbol(",")
	}
	return isolation, nil
}

func (r *reader) readTransactionMode() (isolation string, ok bool) {
	for _, mode := range []string{"read only", "read write", "deferrable", "not deferrable"} {
		if r.acceptWords(mode) {
			return "", true
		}
	}
	if !r.acceptWords("isolation level") {
		return "", false
	}
	for _, level := range []string{"serializable", "repeatable read", "read committed", "read uncommitted"} {
		if r.acceptWords(level) {
			return level, true
		}
	}
	return "", false
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
