package pgwire

import (
	"context"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/pgwire/internal/statement"
	"github.com/semlayer/semlayer/pgwire/internal/value"
)

// runSQLPrepare answers PREPARE.
func (s *session) runSQLPrepare(ctx context.Context, c *statement.Prepare) error {
	declared := make([]uint32, len(c.Types))
	for i, name := range c.Types {
		oid, ok := value.OIDOfTypeName(name)
		if !ok {
			return newSessionError(sqlstateUndefinedObject, "there is no type "+clipText(name))
		}
		declared[i] = oid
	}
	p, err := s.parseStatement(strings.Clone(c.Text), declared) // without the message that holds it
	if err != nil {
		return shiftErrorPosition(err, c.Before)
	}
	if _, ok := p.statement.(*statement.Select); !ok {
		return newSessionError(sqlstateFeatureNotSupported, "PREPARE takes a SELECT")
	}
	if err := s.describeStatement(ctx, p); err != nil {
		return shiftErrorPosition(err, c.Before)
	}
	return s.addPreparedStatement(c.Name, p)
}

// newPortalOfSQLExecute makes EXECUTE of a prepared statement.
func (s *session) newPortalOfSQLExecute(ctx context.Context, c *statement.Execute, formats []int16) (*portal, error) {
	p, err := s.findPreparedStatement(c.Name)
	if err != nil {
		return nil, err
	}
	if err := s.describeStatement(ctx, p); err != nil {
		return nil, removeErrorPosition(err)
	}
	if len(c.Values) != len(p.parameters) {
		return nil, newSessionError(sqlstateProtocolViolation, fmt.Sprintf("the statement has %d parameters, and %d values were given", len(p.parameters), len(c.Values)))
	}
	params := make([]BindParameterValue, len(c.Values))
	for i, v := range c.Values {
		params[i] = BindParameterValue{Type: p.parameters[i], Null: v.Null}
		if v.Null {
			continue
		}
		if params[i].Text, err = value.ParameterValueToText(i+1, p.parameters[i], value.TextFormat, []byte(v.Text)); err != nil {
			return nil, err
		}
	}
	out, err := s.newPortal(ctx, p, params, formats)
	if err != nil {
		return nil, removeErrorPosition(err)
	}
	open := out.open
	out.open = func(ctx context.Context) (statementRows, error) {
		r, err := open(ctx)
		return r, removeErrorPosition(err)
	}
	return out, nil
}
