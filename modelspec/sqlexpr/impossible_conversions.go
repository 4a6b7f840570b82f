package sqlexpr

// ImpossibleConversion describes a conversion that PostgreSQL does not have: between a number or a condition and a date or time, which other
// engines read as days, as seconds or as 20240105, and of a string without a cast.
type ImpossibleConversion struct {
	Message string
	// Advice is an expression that has the meaning that was probably intended.
	Advice string
}

// FindImpossibleConversion returns the conversion that e itself, without its operands, asks for and no value has; nil for every other
// expression. leaf types the columns and references, as for TypeOf.
func FindImpossibleConversion(e Expr, leaf func(Expr) Type) *ImpossibleConversion {
	if c := impossibleTimeConversion(e, leaf); c != nil {
		return c
	}
	return impossibleStringConversion(e, leaf)
}

func impossibleTimeConversion(e Expr, leaf func(Expr) Type) *ImpossibleConversion {
	switch e := e.(type) {
	case *Cast:
		return impossibleCast(TypeOf(e.X, leaf), e.To.Type)
	case *Extract:
		return partOfNumber("EXTRACT", e.X, leaf)
	case *Call:
		switch e.Fn {
		case FnToDate, FnToTimestamp:
			return impossibleCast(TypeOf(e.Args[0], leaf), functionResultType(e.Fn))
		case FnYear, FnQuarter, FnMonth, FnDay, FnDayOfYear, FnDayOfWeek, FnHour, FnMinute, FnSecond, FnDateTrunc, FnDateAdd:
			return partOfNumber(InfoOfFunction(e.Fn).Name, e.Args[len(e.Args)-1], leaf)
		case FnToChar:
			return partOfNumber("TO_CHAR", e.Args[0], leaf)
		case FnDateDiff:
			for _, x := range e.Args[1:] {
				if c := partOfNumber("DATEDIFF", x, leaf); c != nil {
					return c
				}
			}
		}
	}
	return nil
}

func functionResultType(fn Func) Type { return fixedResultTypes[InfoOfFunction(fn).result] }

const daysSinceEpochAdvice = "write a date as DATE '2024-01-05'; a number of days or seconds is added to one: DATEADD('day', n, DATE '1970-01-01')"

func impossibleCast(from, to Type) *ImpossibleConversion {
	var advice string
	switch {
	case isNumberOrCondition(from) && isDateOrTime(to):
		advice = daysSinceEpochAdvice
	case isDateOrTime(from) && isNumberOrCondition(to):
		advice = "a date has parts, EXTRACT(YEAR FROM date), and numbers of days between two: DATEDIFF('day', start, end)"
	default:
		return nil
	}
	return &ImpossibleConversion{Message: "a value of type " + from.String() + " cannot be converted to " + to.String(), Advice: advice}
}

// partOfNumber reports a function of dates and times over a number or a condition.
func partOfNumber(function string, x Expr, leaf func(Expr) Type) *ImpossibleConversion {
	t := TypeOf(x, leaf)
	if !isNumberOrCondition(t) {
		return nil
	}
	return &ImpossibleConversion{Message: function + " takes a date or time, and the value is of type " + t.String(), Advice: daysSinceEpochAdvice}
}

func isNumberOrCondition(t Type) bool { return t.IsNumeric() || t == TypeBool }

func isDateOrTime(t Type) bool { return t.IsDateOrTimestamp() || t == TypeTime }
