package catalogue

import (
	"strconv"

	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// effect is what a function does for each row of a result, and the value that it returns there. Its arguments are texts, or nil for NULL.
type effect func(args []any) (any, error)

// effectiveCalls returns the calls that may have an effect: the items of a SELECT that gives each of its rows once.
func effectiveCalls(q *parse.Query) map[*parse.Call]bool {
	sel, ok := q.Body.(*parse.Select)
	if !ok || sel.Distinct || len(sel.GroupBy) > 0 {
		return nil
	}
	out := map[*parse.Call]bool{}
	for _, item := range sel.Items {
		if call, ok := item.X.(*parse.Call); ok {
			out[call] = true
		}
	}
	return out
}

// newEffectExpr prints the arguments of a call, for which the effect acts when the row is read.
func (r *translator) newEffectExpr(c *functionCall, types []uint32, result uint32, act effect) (typedExpr, error) {
	if !r.effective[c.Call] {
		return typedExpr{}, newUnsupportedError(c.Call, c.name+" inside of an expression or a subquery")
	}
	texts := make([]ducksql.Node, len(c.args))
	for i, arg := range c.args {
		v, err := r.coerceToType(c.Call, arg, types[i])
		if err != nil {
			return typedExpr{}, err
		}
		texts[i] = ducksql.FillTemplate("CAST(? AS VARCHAR)", v.node)
	}
	return typedExpr{node: ducksql.FillTemplate("[?]", ducksql.CommaList(texts)), typ: result, effect: act}, nil
}

// columnsBeforeEffects returns the columns with the types that they have before the effects act.
func columnsBeforeEffects(columns []*scopeColumn) []*scopeColumn {
	out := make([]*scopeColumn, len(columns))
	for i, c := range columns {
		out[i] = c
		if c.value.effect != nil {
			read := *c
			read.value.typ = arrayTypeOf(textTypeOID)
			out[i] = &read
		}
	}
	return out
}

// runEffects gives the rows the values that the effects return.
func runEffects(rows [][]any, columns []*scopeColumn, held *memory.Reservation) error {
	for _, row := range rows {
		for i, c := range columns {
			if c.value.effect == nil {
				continue
			}
			args, _ := row[i].([]any)
			value, err := c.value.effect(args)
			if err != nil {
				held.Release()
				return err
			}
			row[i] = value
		}
	}
	return nil
}

// translateSignalBackend prints pg_cancel_backend and pg_terminate_backend: true for a session of the same identity, false for any other
// number.
func translateSignalBackend(r *translator, c *functionCall) (typedExpr, error) {
	terminate := c.name == "pg_terminate_backend"
	if len(c.args) != 1 && !(terminate && len(c.args) == 2) {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	return r.newEffectExpr(c, []uint32{int4TypeOID, int8TypeOID}, boolTypeOID, func(args []any) (any, error) {
		text, ok := args[0].(string)
		if !ok {
			return nil, nil
		}
		pid, _ := strconv.ParseUint(text, 10, 32) // 0, which no session has, for a negative number
		return r.session.sessions != nil && r.session.sessions.Signal(uint32(pid), terminate), nil
	})
}

// translateUnlockAll prints pg_advisory_unlock_all: no session holds such a lock.
func translateUnlockAll(r *translator, c *functionCall) (typedExpr, error) {
	if len(c.args) > 0 {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	return typedExpr{node: ducksql.TextLiteral(""), typ: voidTypeOID}, nil
}
