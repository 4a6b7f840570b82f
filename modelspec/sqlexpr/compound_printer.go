package sqlexpr

import (
	"strconv"
	"strings"
)

func appendCompoundExpr(dst []byte, e Expr) []byte {
	switch e := e.(type) {
	case *Cast:
		dst = append(AppendFormatted(append(dst, castName(e)+"("...), e.X), " AS "...)
		return append(appendType(dst, e.To), ')')
	case *Call:
		return appendCall(dst, e)
	case *WindowCall:
		return appendWindowCall(dst, e)
	case *Bucket:
		return appendUnparsableCall(dst, "bucket", e.Grain.String()+inTimeZoneNameSuffix(e.Zone), e.X)
	case *BucketOrdinal:
		return appendUnparsableCall(dst, "ordinal", e.Grain.String(), e.X)
	case *LocalTime:
		return appendUnparsableCall(dst, "local", strings.TrimPrefix(inTimeZoneNameSuffix(e.Zone), " "), e.X)
	case *DecodeTimeCodeExpr:
		text := e.Code.Text + inTimeZoneNameSuffix(e.Zone)
		if e.Grain != GrainNone {
			text += " by " + e.Grain.String()
		}
		if e.Local {
			text += " local"
		}
		return appendUnparsableCall(dst, "decode", text, e.X)
	case *DeclaredTypeExpr:
		return AppendFormatted(dst, e.X)
	case *SafeDivide:
		return appendUnparsableCall(dst, "divide", "", e.L, e.R)
	}
	return appendNativeExpr(dst, e)
}

func castName(e *Cast) string {
	if e.Try {
		return "TRY_CAST"
	}
	return "CAST"
}

func appendUnparsableCall(dst []byte, name, first string, args ...Expr) []byte {
	dst = append(append(append(dst, '<'), name...), '(')
	if first != "" {
		dst = append(append(dst, first...), ", "...)
	}
	return append(appendExprList(dst, args), ")>"...)
}

func appendCase(dst []byte, e *Case, operand func(dst []byte, e Expr, lowest Precedence) []byte) []byte {
	dst = append(dst, "CASE"...)
	if e.Operand != nil {
		dst = operand(append(dst, ' '), e.Operand, PrecedenceOr)
	}
	for _, w := range e.Whens {
		dst = operand(append(dst, " WHEN "...), w.Cond, PrecedenceOr)
		dst = operand(append(dst, " THEN "...), w.Then, PrecedenceOr)
	}
	if e.Else != nil {
		dst = operand(append(dst, " ELSE "...), e.Else, PrecedenceOr)
	}
	return append(dst, " END"...)
}

// appendType appends a type; the arguments of TIMESTAMP(3) WITH TIME ZONE
// follow its first word.
func appendType(dst []byte, t TypeName) []byte {
	name := t.Name
	if name == "" {
		name = castTypeNamesForPrinting[t.Type]
	}
	tail := ""
	if i := strings.Index(name, " WITH"); i >= 0 {
		name, tail = name[:i], name[i:]
	}
	dst = append(dst, name...)
	if len(t.Args) > 0 {
		dst = append(dst, '(')
		for i, n := range t.Args {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = strconv.AppendInt(dst, int64(n), 10)
		}
		dst = append(dst, ')')
	}
	return append(dst, tail...)
}

func appendCall(dst []byte, e *Call) []byte {
	switch info := InfoOfFunction(e.Fn); {
	case e.Fn == FnCurrentDate || e.Fn == FnCurrentTime || e.Fn == FnCurrentTimestamp:
		return append(dst, info.Name...)
	case e.Fn == FnPosition && len(e.Args) == 2:
		dst = append(appendWithNeededParens(append(dst, "POSITION("...), e.Args[0], PrecedenceBetweenInLike+1), " IN "...)
		return append(AppendFormatted(dst, e.Args[1]), ')')
	case isPercentileCall(e):
		return appendPercentile(dst, e)
	case info.Name != "":
		dst = append(dst, info.Name...)
	default:
		dst = appendPath(dst, []Name{e.Name})
	}
	dst = append(dst, '(')
	if e.Distinct {
		dst = append(dst, "DISTINCT "...)
	}
	if e.Star {
		dst = append(dst, '*')
	}
	if e.Fn == FnListagg && len(e.Args) == 3 {
		return appendWithinGroup(append(appendExprList(dst, e.Args[:2]), ')'), e.Args[2], e.Desc)
	}
	return append(appendExprList(dst, e.Args), ')')
}

func appendWindowCall(dst []byte, e *WindowCall) []byte {
	dst = append(appendCall(dst, e.Call), " OVER ("...)
	gap := ""
	if len(e.Partition) > 0 {
		dst = appendExprList(append(dst, "PARTITION BY "...), e.Partition)
		gap = " "
	}
	for i, o := range e.Order {
		if i == 0 {
			dst = append(append(dst, gap...), "ORDER BY "...)
			gap = " "
		} else {
			dst = append(dst, ", "...)
		}
		if dst = AppendFormatted(dst, o.X); o.Desc {
			dst = append(dst, " DESC"...)
		}
	}
	if e.Frame != nil {
		dst = appendFrame(append(dst, gap...), e.Frame)
	}
	return append(dst, ')')
}

func appendFrame(dst []byte, f *Frame) []byte {
	word := "ROWS BETWEEN "
	if f.Unit == FrameRange {
		word = "RANGE BETWEEN "
	}
	dst = appendFrameBound(append(dst, word...), f.Start, " PRECEDING")
	return appendFrameBound(append(dst, " AND "...), f.End, " FOLLOWING")
}

func appendFrameBound(dst []byte, b FrameBound, side string) []byte {
	switch {
	case b.Unbounded:
		return append(append(dst, "UNBOUNDED"...), side...)
	case b.Offset < 0:
		return append(strconv.AppendInt(dst, -int64(b.Offset), 10), " PRECEDING"...)
	case b.Offset > 0:
		return append(strconv.AppendInt(dst, int64(b.Offset), 10), " FOLLOWING"...)
	}
	return append(dst, "CURRENT ROW"...)
}

// inTimeZoneNameSuffix names a zone of a bucket; "" for UTC.
func inTimeZoneNameSuffix(z *TimeZone) string {
	switch {
	case z == nil:
		return ""
	case z.Name == "":
		return " in UTC and " + strconv.Itoa(z.Offset) + " seconds"
	}
	return " in " + z.Name
}
