package engine

import (
	"errors"

	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
)

// hasEmbeddedData reports whether the configuration gives the embedded database tables.
func (c Config) hasEmbeddedData() bool {
	return c.DBPath != "" || len(c.Setup) > 0 || len(c.Data) > 0 || c.Database != nil
}

// RequiresConnection reports whether a query must name a connection to reach tables: there are
// connections, none of them is Config.DefaultConnection, and the embedded database is empty.
func (e *Engine) RequiresConnection() bool {
	all := e.connectionsOfReader()
	return len(all.list) > 0 && all.defaultName == "" && !e.config.hasEmbeddedData()
}

// LikelyConnection returns the connection that queries without one mean where a query must name one: the profile that is marked as the
// default, else the only one that can be used. It is "" where there is no such connection, and where queries need not name one.
func (e *Engine) LikelyConnection() string {
	if !e.RequiresConnection() {
		return ""
	}
	all := e.connectionsOfReader()
	name := all.likelyConnection()
	if t, err := all.targetOfConnection(name); err != nil || e.checkExecutable(t) != nil {
		return ""
	}
	return name
}

// setDefaultConnection makes a connection the target of requests that name none; "" leaves them to the
// embedded database.
func (all *connectionSet) setDefaultConnection(name string) error {
	if name == "" {
		return nil
	}
	if _, err := all.targetOfConnection(name); err != nil {
		return err
	}
	all.defaultName = name
	return nil
}

// likelyConnection returns the connection that a query without one means: the profile marked as the
// default, else the only connection that can be used, else "".
func (all *connectionSet) likelyConnection() string {
	if all.report.Default != "" {
		return all.report.Default
	}
	only := ""
	for _, c := range all.list {
		switch {
		case c.configErr != nil:
		case only != "":
			return ""
		default:
			only = c.info.Name
		}
	}
	return only
}

// suggestConnection replaces the error of a statement that reads a table of the empty embedded database
// by one that names the connections. The retry names the likely connection, if compile compiles the
// query for it.
func (e *Engine) suggestConnection(err error, compile func(compileTarget) error) error {
	var failed *ExecuteError
	if err == nil || !errors.As(err, &failed) || failed.MissingTable == "" || !e.RequiresConnection() {
		return err
	}
	all := e.connectionsOfReader()
	out := &ExecuteError{
		Code:         failed.Code,
		Message:      "the embedded database is empty: it has no table " + planerr.ClipText(failed.MissingTable),
		Hint:         "name one of the candidates as the connection of the query",
		Candidates:   all.names[:min(len(all.names), suggest.MaxCandidates)],
		MissingTable: failed.MissingTable,
		Err:          err,
	}
	name := all.likelyConnection()
	if t, err := all.targetOfConnection(name); err != nil || e.checkExecutable(t) != nil || compile(t) != nil {
		return out
	}
	if retry, err := MarshalWireJSON(map[string]string{"connection": name}); err == nil {
		out.SuggestedRetry = string(retry)
		out.Hint = "name the connection " + planerr.ClipText(name) + " in the query, or start the server with --default-connection " + planerr.ClipText(name)
	}
	return out
}
