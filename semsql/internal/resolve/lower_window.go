package resolve

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// lowerWindow turns a window call over the rows of a result into one of the language.
func (s *Scope) lowerWindow(c *parse.Call) (sqlexpr.Expr, error) {
	plain := *c
	plain.Over = nil
	x, err := s.lowerWindowFunction(&plain)
	if err != nil {
		return nil, err
	}
	out := &sqlexpr.WindowCall{Position: sqlexpr.Position(c.Pos()), Call: x}
	if out.Partition, err = s.lowerExprs(c.Over.PartitionBy); err != nil {
		return nil, err
	}
	for _, o := range c.Over.OrderBy {
		x, err := s.LowerExpr(o.X)
		if err != nil {
			return nil, err
		}
		key := sqlexpr.OrderItem{X: x, Desc: o.Desc}
		if o.Nulls == parse.NullsFirst {
			out.Order = append(out.Order, compose.NullsFirstOrderItems(key)...)
		} else {
			out.Order = append(out.Order, key)
		}
	}
	out.Order = s.withoutConstantKeys(x, out.Order)
	if c.Over.Frame != nil {
		if out.Frame, err = readFrame(c.Over.Frame); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// withoutConstantKeys drops the keys that order nothing, because MariaDB takes a window that only they order for the order of
// the next one. The ranks, which some engines do not have without an order, keep theirs where all are constant.
func (s *Scope) withoutConstantKeys(call *sqlexpr.Call, keys []sqlexpr.OrderItem) []sqlexpr.OrderItem {
	isConstant := func(k sqlexpr.OrderItem) bool { return !s.Refs.HasReferenceInExpr(k.X) && !sqlexpr.HasAggregate(k.X) }
	rest := slices.DeleteFunc(slices.Clone(keys), isConstant)
	if len(rest) == 0 && sqlexpr.InfoOfFunction(call.Fn).Class != sqlexpr.ClassAggregate {
		return keys
	}
	return rest
}

// lowerWindowFunction returns the call of a window.
func (s *Scope) lowerWindowFunction(c *parse.Call) (*sqlexpr.Call, error) {
	if len(c.Arguments) == 1 {
		if _, star := c.Arguments[0].(*parse.Star); star && c.Filter == nil {
			return &sqlexpr.Call{Position: sqlexpr.Position(c.Pos()), Fn: sqlexpr.FnCount, Name: sqlexpr.Name{Text: "COUNT"}, Star: true}, nil
		}
	}
	x, err := s.newCall(AliasColumnName(c.Function), c)
	if err != nil {
		return nil, err
	}
	call, ok := x.(*sqlexpr.Call)
	if !ok {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, c.Pos(), c.Function.Text+" is not a function of windows")
	}
	return call, nil
}

// readFrame reads ROWS BETWEEN start AND end.
func readFrame(f *parse.Frame) (*sqlexpr.Frame, error) {
	start, err := readFrameBound(f.Start)
	if err != nil {
		return nil, err
	}
	end, err := readFrameBound(f.End)
	if err != nil {
		return nil, err
	}
	backwards := f.Start.Kind == parse.UnboundedFollowing || f.End.Kind == parse.UnboundedPreceding
	if backwards || !start.Unbounded && !end.Unbounded && start.Offset > end.Offset {
		return nil, sqlerror.New(sqlerror.CodeSyntax, f.Pos(), "the frame ends before it begins")
	}
	return &sqlexpr.Frame{Unit: sqlexpr.FrameRows, Start: start, End: end}, nil
}

func readFrameBound(b *parse.FrameBound) (sqlexpr.FrameBound, error) {
	switch b.Kind {
	case parse.UnboundedPreceding, parse.UnboundedFollowing:
		return sqlexpr.FrameBound{Unbounded: true}, nil
	case parse.CurrentRow:
		return sqlexpr.FrameBound{}, nil
	}
	n, ok := b.Offset.(*parse.Number)
	if !ok {
		return sqlexpr.FrameBound{}, sqlerror.New(sqlerror.CodeUnsupported, b.Pos(), "a frame is bounded by a number of rows")
	}
	rows, err := strconv.Atoi(n.Text)
	if err != nil || rows > 1_000_000 {
		return sqlexpr.FrameBound{}, sqlerror.New(sqlerror.CodeUnsupported, b.Pos(), "a frame is bounded by a number of rows, at most a million")
	}
	if b.Kind == parse.Preceding {
		rows = -rows
	}
	return sqlexpr.FrameBound{Offset: rows}, nil
}
