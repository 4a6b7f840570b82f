package pgwire

import (
	"context"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/pgwire/internal/statement"
	"github.com/semlayer/semlayer/planner/query"
)

// runStatementWithoutRows runs a statement without rows and returns its tag.
func (s *session) runStatementWithoutRows(ctx context.Context, p *preparedStatement, params []BindParameterValue) (string, error) {
	switch c := p.statement.(type) {
	case *statement.Set:
		return "SET", s.setVariable(ctx, c)
	case *statement.SetWithoutEffect:
		if c.Reset {
			return "RESET", nil
		}
		return "SET", nil
	case *statement.SetIsolation:
		return "SET", s.setIsolation(c)
	case *statement.SetRole:
		if c.Name != s.user {
			return "", newSessionError(sqlstateInvalidParameterValue, "the session has no role but its own: "+clipText(c.Name))
		}
		return "SET", nil
	case *statement.Reset:
		return "RESET", s.variables.reset(c.Name)
	case *statement.Discard:
		return s.runDiscard(c)
	case *statement.Prepare:
		return "PREPARE", s.runSQLPrepare(ctx, c)
	case *statement.Deallocate:
		return s.deallocate(c)
	case *statement.Declare:
		return "DECLARE CURSOR", s.declareCursor(ctx, c, p.heldQuery(), params)
	case *statement.CloseCursor:
		return s.closeCursor(c)
	case *statement.LockForReading:
		if s.tx.state != transactionOpen {
			return "", newSessionError(sqlstateNoActiveTransaction, "LOCK TABLE can only be used in transaction blocks")
		}
		return "LOCK TABLE", nil
	case *statement.Listen:
		if c.Stop {
			return "UNLISTEN", nil
		}
		return "LISTEN", nil
	case *statement.Copy:
		tag, err := s.answerCopyToStdout(ctx, c, p.heldQuery(), params)
		return tag, shiftErrorPosition(err, c.Before)
	}
	return s.runTransactionCommand(p.statement)
}

// runTransactionCommand runs a statement about the transaction.
func (s *session) runTransactionCommand(c statement.Statement) (string, error) {
	switch c := c.(type) {
	case *statement.Begin:
		if s.tx.isOpenOrFailed() {
			s.sendWarning(sqlstateActiveTransaction, "there is already a transaction in progress")
		} else {
			s.beginTransaction()
		}
		if c.Isolation != "" {
			if err := s.variables.Set(isolationVariableName, c.Isolation, true); err != nil {
				return "", err
			}
		}
		if c.Start {
			return "START TRANSACTION", nil
		}
		return "BEGIN", nil
	case *statement.Commit:
		return s.commitTransaction(c)
	case *statement.Rollback:
		if err := s.checkTransactionBegunBeforeEnd("ROLLBACK", c.Chain); err != nil {
			return "", err
		}
		s.endTransaction(true)
		s.beginTransactionIfChained(c.Chain)
		return "ROLLBACK", nil
	case *statement.Savepoint:
		return "SAVEPOINT", s.addSavepoint(c.Name)
	case *statement.Release:
		return "RELEASE", s.releaseSavepoint(c.Name)
	case *statement.RollbackTo:
		return "ROLLBACK", s.rollbackToSavepoint(c.Name)
	}
	return "", newSessionError(sqlstateInternalError, "the session does not know the statement")
}

// commitTransaction ends a transaction: one that has failed is taken back.
func (s *session) commitTransaction(c *statement.Commit) (string, error) {
	failed := s.tx.state == transactionFailed
	if err := s.checkTransactionBegunBeforeEnd("COMMIT", c.Chain); err != nil {
		return "", err
	}
	s.endTransaction(failed)
	s.beginTransactionIfChained(c.Chain)
	if failed {
		return "ROLLBACK", nil
	}
	return "COMMIT", nil
}

// checkTransactionBegunBeforeEnd warns of the end of a transaction that was not begun, and rejects an AND CHAIN that would begin another one.
func (s *session) checkTransactionBegunBeforeEnd(statement string, chain bool) error {
	switch {
	case s.tx.isOpenOrFailed():
	case chain:
		return newSessionError(sqlstateNoActiveTransaction, statement+" AND CHAIN can only be used in transaction blocks")
	default:
		s.sendWarning(sqlstateNoActiveTransaction, "there is no transaction in progress")
	}
	return nil
}

func (s *session) beginTransactionIfChained(again bool) {
	if again {
		s.beginTransaction()
	}
}

// setIsolation sets the level of isolation that is shown, of the transaction or of all later ones. It has no effect on rows.
func (s *session) setIsolation(c *statement.SetIsolation) error {
	switch {
	case c.Session:
		return s.variables.Set(defaultIsolationVariableName, c.Isolation, false)
	case !s.isInSharedTransaction():
		s.sendWarning(sqlstateNoActiveTransaction, "SET TRANSACTION can only be used in transaction blocks")
		return nil
	}
	return s.variables.Set(isolationVariableName, c.Isolation, true)
}

// setVariable sets a variable. A condition is tried on the model first.
func (s *session) setVariable(ctx context.Context, c *statement.Set) error {
	switch {
	case c.Value == nil && c.Local:
		return s.variables.setLocalToDefault(c.Name)
	case c.Value == nil:
		return s.variables.reset(c.Name)
	}
	if strings.EqualFold(c.Name, contextFilterVariableName) && *c.Value != "" {
		if err := s.checkContextFilter(ctx, *c.Value); err != nil {
			return err
		}
	}
	if c.Local && !s.isInSharedTransaction() {
		s.sendWarning(sqlstateNoActiveTransaction, "SET LOCAL can only be used in transaction blocks")
	}
	local := c.Local || strings.EqualFold(c.Name, isolationVariableName) // which is of the transaction
	return s.variables.Set(c.Name, *c.Value, local)
}

// checkContextFilter rejects a condition that no dataset takes.
func (s *session) checkContextFilter(ctx context.Context, condition string) error {
	var first error
	for _, r := range s.model.Service.Relations() {
		q := &query.SQLStatement{SQL: `SELECT COUNT(*) FROM "` + strings.ReplaceAll(r.Name, `"`, `""`) + `"`, ContextFilter: condition}
		_, err := s.model.Service.DescribeSQL(ctx, q, nil, nil)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

func (s *session) runDiscard(c *statement.Discard) (string, error) {
	if c.What != "ALL" {
		return "DISCARD " + c.What, nil
	}
	if s.isInSharedTransaction() {
		return "", newSessionError(sqlstateActiveTransaction, "DISCARD ALL cannot run inside a transaction block")
	}
	clear(s.statements)
	s.closePortalsOpenedAfter(0)
	return "DISCARD ALL", s.variables.reset("")
}

// The bounds of what a session keeps.
const (
	maxPreparedStatements     = 1000
	maxPreparedStatementBytes = 16 << 20 // of the texts of all statements
	maxPortals                = 100
)

// addPreparedStatement keeps a named statement, or replaces the unnamed one. It keeps the text and drops the tree, which takes many
// times its bytes: 100 statements of an ORM are 100 kB as texts and some megabytes as trees. Bind parses again, in microseconds.
func (s *session) addPreparedStatement(name string, p *preparedStatement) error {
	_, exists := s.statements[name]
	switch {
	case exists && name != "":
		return newSessionError(sqlstateDuplicateStatement, "there is a prepared statement "+clipText(name)+" already")
	case !exists && len(s.statements) >= maxPreparedStatements:
		return newSessionError(sqlstateConfigurationLimitExceeded, "the session has the maximum number of prepared statements: "+strconv.Itoa(maxPreparedStatements))
	}
	held := len(p.text)
	for other, one := range s.statements {
		if other != name {
			held += len(one.text)
		}
	}
	if held > maxPreparedStatementBytes {
		return newSessionError(sqlstateConfigurationLimitExceeded, "the prepared statements of a session have at most "+strconv.Itoa(maxPreparedStatementBytes)+" bytes of text")
	}
	if err := s.growKept(p.keptBytes() + len(name)); err != nil {
		return err
	}
	p.parsed = nil // a tree takes many times the bytes of its text
	s.statements[strings.Clone(name)] = p
	return nil
}

func (s *session) findPreparedStatement(name string) (*preparedStatement, error) {
	if p, ok := s.statements[name]; ok {
		return p, nil
	}
	return nil, newSessionError(sqlstateUnknownStatement, "there is no prepared statement "+clipText(name))
}

func (s *session) deallocate(c *statement.Deallocate) (string, error) {
	if c.Name == "" {
		clear(s.statements)
		return "DEALLOCATE ALL", nil
	}
	if _, err := s.findPreparedStatement(c.Name); err != nil {
		return "", err
	}
	delete(s.statements, c.Name)
	return "DEALLOCATE", nil
}

// showResultColumns returns the columns of SHOW.
func showResultColumns(name string) []Column {
	if name == "" {
		return newTextColumns("name", "setting", "description")
	}
	name = canonicalVariableName(name)
	if known, ok := knownVariables[name]; ok {
		name = known.name
	}
	return newTextColumns(name)
}

func (s *session) rowsOfShow(name string) ([][]any, error) {
	if name != "" {
		value, ok := s.variables.Lookup(name)
		if !ok && IsSuperuserVariable(name) {
			return nil, newSessionError(sqlstateInsufficientPrivilege, "only a superuser reads the variable "+canonicalVariableName(name))
		}
		if !ok {
			return nil, newSessionError(sqlstateUndefinedObject, "there is no variable "+clipText(name))
		}
		return [][]any{{value}}, nil
	}
	var out [][]any
	for _, v := range s.variables.List() {
		out = append(out, []any{v.Name, v.Value, v.Description})
	}
	return out, nil
}

// rowsOfExplain shows the plan of a query, a line in each row.
func (s *session) rowsOfExplain(ctx context.Context, query *preparedStatement, params []BindParameterValue) ([][]any, error) {
	if query.kind == statementKindCatalogue {
		return [][]any{{"Catalogue"}}, nil
	}
	ctx, _, err := s.admitExecution(ctx, query)
	if err != nil {
		return nil, err
	}
	q := s.newEngineStatement(query.text, params)
	q.Dialect = s.variables.valueOrEmpty(dialectVariableName)
	if q.Dialect != "" {
		q.Connection = ""
	}
	prepared, err := s.model.Service.Prepare(ctx, q)
	if err != nil {
		return nil, err
	}
	x, err := prepared.Explain(ctx)
	if err != nil {
		return nil, err
	}
	var out [][]any
	for line := range strings.Lines(x.Plan) {
		out = append(out, []any{strings.TrimRight(line, "\n")})
	}
	return out, nil
}
