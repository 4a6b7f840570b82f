package engine

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/modelspec/access"
)

// sessionExecutor runs statements in the session of a caller.
type sessionExecutor struct {
	executor.Executor
	session *executor.Session
}

// Query starts the statement in the session.
func (x *sessionExecutor) Query(ctx context.Context, sql string) (executor.Rows, error) {
	return x.Executor.Query(executor.WithSession(ctx, x.session), sql)
}

// sessionOfCaller returns what the statements of the caller run as on a target; nil where its profile declares nothing. The error
// is a *access.ForbiddenError.
func (e *Engine) sessionOfCaller(ctx context.Context, t compileTarget) (*executor.Session, error) {
	if t.connection == nil || t.connection.session == nil {
		return nil, nil
	}
	declared := t.connection.session
	out := &executor.Session{}
	if declared.Role != nil {
		var err error
		if out.Role, err = e.sessionValue(ctx, *declared.Role); err != nil {
			return nil, err
		}
		if declared.Role.Attribute != "" && !slices.Contains(declared.AllowedRoles, out.Role) {
			return nil, forbiddenAttributeError(declared.Role.Attribute, "names a role that the connection does not allow")
		}
	}
	for _, s := range declared.Set {
		v, err := e.sessionValue(ctx, s.Value)
		if err != nil {
			return nil, err
		}
		out.Settings = append(out.Settings, executor.SessionSetting{Name: s.Name, Value: v})
	}
	return out, nil
}

// sessionValue returns the text of a value of a session.
func (e *Engine) sessionValue(ctx context.Context, v profile.SessionValue) (string, error) {
	if v.Attribute == "" {
		return v.Constant, nil
	}
	id, known := access.IdentityFrom(ctx)
	if e.rights != nil {
		id, known = e.rights.identity, true
	}
	if !known || v.Attribute == access.AttributeRoles {
		return "", forbiddenAttributeError(v.Attribute, "is not known, or is a list")
	}
	value, ok := id.Attribute(nil, v.Attribute)
	switch {
	case !ok:
		return "", forbiddenAttributeError(v.Attribute, "is missing")
	case value.List:
		return "", forbiddenAttributeError(v.Attribute, "is a list")
	}
	return value.Items[0], nil
}

func forbiddenAttributeError(name, fault string) error {
	return &access.ForbiddenError{Code: access.CodeForbidden, Message: "the attribute " + name + " of the identity " + fault, Hint: "the connection runs its statements with the attribute " + name}
}

// sessionKey is different for callers whose statements on a target run in different sessions.
func (e *Engine) sessionKey(ctx context.Context, t compileTarget) string {
	s, err := e.sessionOfCaller(ctx, t)
	if s == nil || err != nil { // nothing is read then
		return ""
	}
	var key strings.Builder
	key.WriteString("\x00" + strconv.Quote(s.Role))
	for _, setting := range s.Settings {
		key.WriteString(strconv.Quote(setting.Name) + strconv.Quote(setting.Value))
	}
	return key.String()
}
