package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

func appendCall(dst []byte, c *Call) []byte {
	dst = append(appendFunctionName(dst, c.Function), '(')
	if c.isPosition() {
		dst = appendExpr(dst, c.Arguments[0], sqlexpr.PrecedenceBetweenInLike+1)
		dst = appendExpr(append(dst, " IN "...), c.Arguments[1], sqlexpr.PrecedenceBetweenInLike+1)
	} else {
		if c.Distinct {
			dst = append(dst, "DISTINCT "...)
		}
		dst = appendCommaSeparated(dst, c.Arguments)
		if len(c.OrderBy) > 0 {
			dst = appendCommaSeparated(append(dst, " ORDER BY "...), c.OrderBy)
		}
	}
	dst = append(dst, ')')
	if len(c.WithinGroup) > 0 {
		dst = append(appendCommaSeparated(append(dst, " WITHIN GROUP (ORDER BY "...), c.WithinGroup), ')')
	}
	dst = appendFilter(dst, c.Filter)
	if c.Over != nil {
		dst = appendWindow(append(dst, " OVER "...), c.Over)
	}
	return dst
}

// isPosition reports whether a call is POSITION, which has a word between its arguments.
func (c *Call) isPosition() bool {
	return !c.Function.Quoted && c.Function.Text == "position" && len(c.Arguments) == 2
}

func appendFilter(dst []byte, condition Expr) []byte {
	if condition == nil {
		return dst
	}
	return append(appendExpr(append(dst, " FILTER (WHERE "...), condition, sqlexpr.PrecedenceOr), ')')
}

func appendMeasureCall(dst []byte, m *MeasureCall) []byte {
	dst = appendPath(append(dst, "MEASURE("...), m.Metric.Path)
	if len(m.Arguments) > 0 {
		dst = appendCommaSeparated(append(dst, ", "...), m.Arguments)
	}
	return appendFilter(append(dst, ')'), m.Filter)
}

func appendWindow(dst []byte, w *Window) []byte {
	dst = append(dst, '(')
	space := ""
	if len(w.PartitionBy) > 0 {
		dst = appendCommaSeparated(append(dst, "PARTITION BY "...), w.PartitionBy)
		space = " "
	}
	if len(w.OrderBy) > 0 {
		dst = appendCommaSeparated(append(append(dst, space...), "ORDER BY "...), w.OrderBy)
		space = " "
	}
	if w.Frame != nil {
		dst = appendFrame(append(dst, space...), w.Frame)
	}
	return append(dst, ')')
}

func appendFrame(dst []byte, f *Frame) []byte {
	dst = appendFrameBound(append(dst, "ROWS BETWEEN "...), f.Start)
	return appendFrameBound(append(dst, " AND "...), f.End)
}

func appendFrameBound(dst []byte, b *FrameBound) []byte {
	if b.Offset != nil {
		dst = append(appendExpr(dst, b.Offset, sqlexpr.PrecedencePrimary), ' ')
	}
	switch b.Kind {
	case UnboundedPreceding:
		return append(dst, "UNBOUNDED PRECEDING"...)
	case Preceding:
		return append(dst, "PRECEDING"...)
	case CurrentRow:
		return append(dst, "CURRENT ROW"...)
	case Following:
		return append(dst, "FOLLOWING"...)
	case UnboundedFollowing:
		return append(dst, "UNBOUNDED FOLLOWING"...)
	}
	return dst
}
