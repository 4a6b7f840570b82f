package engine

import (
	"errors"
	"slices"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
)

// readerRights are what an engine of a reader is restricted to.
type readerRights struct {
	view *access.View
	// viewKey is different for views whose lists differ.
	viewKey string
	// policiesHash is that of the policies file.
	policiesHash string
	// key is different for readers whose statements differ.
	key string
	// identity is the reader, whose attributes the sessions of warehouses have.
	identity access.Identity
}

// hidesSQL reports whether the reader sees neither SQL nor plans.
func (e *Engine) hidesSQL() bool { return e.rights != nil && !e.rights.view.SQL }

// checkSeesSQL refuses what shows SQL or a plan.
func (e *Engine) checkSeesSQL() error {
	if !e.hidesSQL() {
		return nil
	}
	return &access.ForbiddenError{Code: access.CodeForbidden, Message: "no role of the identity shows SQL and plans", Hint: "a role with the grant sql: true does"}
}

// grantsConnection reports whether the reader may use a connection; "" is the embedded database.
func (e *Engine) grantsConnection(name string) bool {
	return e.rights == nil || e.rights.view.ConnectionsAll || slices.Contains(e.rights.view.Connections, name)
}

// connectionsOfReader returns the connections without those that the reader may not use.
func (e *Engine) connectionsOfReader() *connectionSet {
	all := e.warehouses.connections.Load()
	if e.rights == nil || e.rights.view.ConnectionsAll {
		return all
	}
	out := *all
	out.list, out.names = nil, nil
	for _, c := range all.list {
		if e.grantsConnection(c.info.Name) {
			out.list, out.names = append(out.list, c), append(out.names, c.info.Name)
		}
	}
	if !e.grantsConnection(out.defaultName) {
		out.noDefault = true
	}
	return &out
}

// withoutLocation leaves the place out of a compile error for a reader: it counts what is hidden.
func (e *Engine) withoutLocation(err error) error {
	var broken *modelspec.CompileError
	if !errors.As(err, &broken) || e.rights == nil || e.rights.view.SeesAll || broken.Position == (modelspec.Position{}) { // of the text of a query
		return err
	}
	out := *broken
	out.Location, out.Position = "", modelspec.Position{}
	return &out
}

// forReaderWithoutSQL replaces the message of a warehouse, which can hold values, names and parts of rules.
func (e *Engine) forReaderWithoutSQL(err *ExecuteError) *ExecuteError {
	if !e.hidesSQL() {
		return err
	}
	said, ok := messagesWithoutSQL[err.Code]
	if !ok {
		return err
	}
	return &ExecuteError{Code: err.Code, Message: said}
}

// messagesWithoutSQL are the messages for readers without SQL, by code.
var messagesWithoutSQL = map[string]string{
	executor.CodeSQLRejected: "the warehouse rejected the statement",
	executor.CodeDriver:      "the warehouse could not run the statement",
	executor.CodeConnection:  "the warehouse cannot be reached",
	executor.CodeAuth:        "the warehouse did not accept the credentials of the service",
	executor.CodeConfig:      "the connection is not configured",
}
