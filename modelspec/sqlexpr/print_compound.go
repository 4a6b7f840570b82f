package sqlexpr

import (
	"strconv"
	"strings"
)

func appendCompoundExpr(dst []byte, e Expr) []byte {
	switch e := e.(type) {
	case *Case:
		return appendCase(dst, e)
	case *Cast:
		dst = append(Append(append(dst, "CAST("...), e.X), " AS "...)
		return append(appendType(dst, e.To), ')')
	case *Extract:
		dst = append(append(dst, "EXTRACT("...), upperASCII(e.Part)...)
		return append(Append(append(dst, " FROM "...), e.X), ')')
	case *Call:
		return appendCall(dst, e)
	case *Over:
		return appendOver(dst, e)
	case *Bucket:
		return appendPseudoCall(dst, "bucket", e.Grain.String(), e.X)
	case *Ordinal:
		return appendPseudoCall(dst, "ordinal", e.Grain.String(), e.X)
	case *Decode:
		return appendPseudoCall(dst, "decode", e.Code.Text, e.X)
	case *Known:
		return Append(dst, e.X)
	case *Divide:
		return appendPseudoCall(dst, "divide", "", e.L, e.R)
	}
	return appendNative(dst, e)
}

func appendPseudoCall(dst []byte, name, first string, args ...Expr) []byte {
	dst = append(append(append(dst, '<'), name...), '(')
	if first != "" {
		dst = append(append(dst, first...), ", "...)
	}
	return append(appendList(dst, args), ")>"...)
}

func appendCase(dst []byte, e *Case) []byte {
	dst = append(dst, "CASE"...)
	if e.Operand != nil {
		dst = Append(append(dst, ' '), e.Operand)
	}
	for _, w := range e.Whens {
		dst = Append(append(dst, " WHEN "...), w.Cond)
		dst = Append(append(dst, " THEN "...), w.Then)
	}
	if e.Else != nil {
		dst = Append(append(dst, " ELSE "...), e.Else)
	}
	return append(dst, " END"...)
}

// appendType appends a type; the arguments of TIMESTAMP(3) WITH TIME ZONE
// follow its first word.
func appendType(dst []byte, t TypeName) []byte {
	name := t.Name
	if name == "" {
		name = castNames[t.Type]
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
	switch info := InfoOf(e.Fn); {
	case e.Fn == FnCurrentDate || e.Fn == FnCurrentTimestamp:
		return append(dst, info.Name...)
	case e.Fn == FnPosition && len(e.Args) == 2:
		dst = append(appendWithParens(append(dst, "POSITION("...), e.Args[0], levelMatch+1), " IN "...)
		return append(Append(dst, e.Args[1]), ')')
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
	return append(appendList(dst, e.Args), ')')
}

func appendOver(dst []byte, e *Over) []byte {
	dst = append(appendCall(dst, e.Call), " OVER ("...)
	gap := ""
	if len(e.Partition) > 0 {
		dst = appendList(append(dst, "PARTITION BY "...), e.Partition)
		gap = " "
	}
	for i, o := range e.Order {
		if i == 0 {
			dst = append(append(dst, gap...), "ORDER BY "...)
			gap = " "
		} else {
			dst = append(dst, ", "...)
		}
		if dst = Append(dst, o.X); o.Desc {
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
	dst = appendBound(append(dst, word...), f.Start, " PRECEDING")
	return appendBound(append(dst, " AND "...), f.End, " FOLLOWING")
}

func appendBound(dst []byte, b Bound, side string) []byte {
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
