package statement

func (r *reader) readBegin() (Statement, error) {
	_ = r.acceptWords("transaction") || r.acceptWords("work")
	return r.readModes(&Begin{})
}

func (r *reader) readStart() (Statement, error) {
	if !r.acceptWords("transaction") {
		return nil, r.unexpected("TRANSACTION")
	}
	return r.readModes(&Begin{Start: true})
}

// readModes reads the modes of a transaction. None has an effect: every transaction only reads.
func (r *reader) readModes(s Statement) (Statement, error) {
	for !r.ended() {
		if !r.readMode() {
			return nil, r.unexpected("a mode of a transaction")
		}
		r.acceptSign(",")
	}
	return s, nil
}

func (r *reader) readMode() bool {
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
	if r.peek(0).IsWord("prepared") {
		return nil, r.refuse()
	}
	chain, err := r.readChain()
	return &Commit{Chain: chain}, err
}

// readChain reads [WORK|TRANSACTION] [AND [NO] CHAIN].
func (r *reader) readChain() (chain bool, err error) {
	_ = r.acceptWords("transaction") || r.acceptWords("work")
	if !r.acceptWords("and no chain") {
		chain = r.acceptWords("and chain")
	}
	if !r.ended() {
		return false, r.unexpected("the end of the statement")
	}
	return chain, nil
}

func (r *reader) readRollback() (Statement, error) {
	if r.peek(0).IsWord("prepared") {
		return nil, r.refuse()
	}
	at := r.at
	_ = r.acceptWords("transaction") || r.acceptWords("work")
	if r.acceptWords("to") {
		r.acceptWords("savepoint")
		name, err := r.expectName()
		if err != nil {
			return nil, err
		}
		return r.finish(&RollbackTo{Name: name})
	}
	r.at = at
	chain, err := r.readChain()
	return &Rollback{Chain: chain}, err
}

func (r *reader) readSavepoint() (Statement, error) {
	name, err := r.expectName()
	if err != nil {
		return nil, err
	}
	return r.finish(&Savepoint{Name: name})
}

func (r *reader) readRelease() (Statement, error) {
	r.acceptWords("savepoint")
	name, err := r.expectName()
	if err != nil {
		return nil, err
	}
	return r.finish(&Release{Name: name})
}
