package sqltype

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// typeOfCall returns the type of the value of a function.
func (t typeInference) typeOfCall(c *sqlexpr.Call) Type {
	if c == nil {
		return Unknown
	}
	switch c.Fn {
	case sqlexpr.FnSum:
		return sumType(t.typeOfExpr(c.Args[0]))
	case sqlexpr.FnMin, sqlexpr.FnMax, sqlexpr.FnAnyValue, sqlexpr.FnPercentileDisc, sqlexpr.FnFirstValue, sqlexpr.FnLastValue,
		sqlexpr.FnNthValue, sqlexpr.FnLag, sqlexpr.FnLead, sqlexpr.FnNullIf,
		sqlexpr.FnAbs, sqlexpr.FnCeil, sqlexpr.FnFloor, sqlexpr.FnRound, sqlexpr.FnTrunc:
		return t.typeOfExpr(c.Args[0])
	case sqlexpr.FnCoalesce, sqlexpr.FnGreatest, sqlexpr.FnLeast:
		return t.commonTypeOf(c.Args)
	case sqlexpr.FnIf:
		return t.commonTypeOf(c.Args[1:])
	case sqlexpr.FnMod:
		return t.typeOfBinary(&sqlexpr.Binary{Op: sqlexpr.OpMod, L: c.Args[0], R: c.Args[1]})
	case sqlexpr.FnLength, sqlexpr.FnPosition, sqlexpr.FnYear, sqlexpr.FnQuarter, sqlexpr.FnMonth, sqlexpr.FnDay,
		sqlexpr.FnDayOfYear, sqlexpr.FnDayOfWeek, sqlexpr.FnHour, sqlexpr.FnMinute, sqlexpr.FnSecond:
		return Integer
	case sqlexpr.FnDateTrunc, sqlexpr.FnDateAdd:
		if t.typeOfExpr(c.Args[len(c.Args)-1]) == TimestampTZ {
			return TimestampTZ
		}
		return Timestamp
	}
	return FromLogicalType(sqlexpr.TypeOf(c, t.logicalLeafType))
}

// sumType returns the type of SUM.
func sumType(arg Type) Type {
	switch arg {
	case Double:
		return Double
	case Integer, Bigint, Numeric:
		return Numeric
	}
	return Unknown
}
