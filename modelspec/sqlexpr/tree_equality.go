package sqlexpr

import (
	"slices"
	"strings"
)

// Equal reports whether two trees are the same, apart from positions and from
// spellings without a meaning: unquoted names compare without case, functions
// by identity, cast targets by type and arguments. See Normalize for
// expressions that are written differently and mean the same.
func Equal(a, b Expr) bool { return EqualNodes(a, b, Equal) }

// EqualNodes is Equal of two nodes, of which equal compares the operands. Nodes of other packages are never equal here.
func EqualNodes(a, b Expr, equal func(a, b Expr) bool) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	switch a := a.(type) {
	case *Column:
		b, ok := b.(*Column)
		return ok && slices.EqualFunc(a.Path, b.Path, Name.Equal)
	case *Ref:
		b, ok := b.(*Ref)
		return ok && a.ID == b.ID
	case *Param:
		b, ok := b.(*Param)
		return ok && a.Name == b.Name
	case *Number:
		b, ok := b.(*Number)
		return ok && a.Text == b.Text
	case *String:
		b, ok := b.(*String)
		return ok && a.Value == b.Value
	case *Bool:
		b, ok := b.(*Bool)
		return ok && a.Value == b.Value
	case *Null:
		_, ok := b.(*Null)
		return ok
	case *TypedLiteral:
		b, ok := b.(*TypedLiteral)
		return ok && a.Type == b.Type && a.Value == b.Value
	case *Interval:
		b, ok := b.(*Interval)
		return ok && a.Count == b.Count && a.Unit == b.Unit
	case *Subquery:
		b, ok := b.(*Subquery)
		return ok && a.Text == b.Text
	default:
		return equalOperatorExprs(a, b, equal)
	}
}

func equalOperatorExprs(a, b Expr, equal func(a, b Expr) bool) bool {
	switch a := a.(type) {
	case *Unary:
		b, ok := b.(*Unary)
		return ok && a.Op == b.Op && equal(a.X, b.X)
	case *Binary:
		b, ok := b.(*Binary)
		return ok && a.Op == b.Op && equal(a.L, b.L) && equal(a.R, b.R)
	case *Between:
		b, ok := b.(*Between)
		return ok && a.Not == b.Not && equal(a.X, b.X) && equal(a.Lo, b.Lo) && equal(a.Hi, b.Hi)
	case *In:
		b, ok := b.(*In)
		return ok && a.Not == b.Not && equal(a.X, b.X) && slices.EqualFunc(a.Items, b.Items, equal)
	case *Like:
		b, ok := b.(*Like)
		return ok && a.Not == b.Not && a.Fold == b.Fold && equal(a.X, b.X) && equal(a.Pattern, b.Pattern) && equal(a.Escape, b.Escape)
	case *IsNull:
		b, ok := b.(*IsNull)
		return ok && a.Not == b.Not && equal(a.X, b.X)
	case *IsTruth:
		b, ok := b.(*IsTruth)
		return ok && a.Not == b.Not && a.Want == b.Want && equal(a.X, b.X)
	default:
		return equalCompoundExprs(a, b, equal)
	}
}

func equalCompoundExprs(a, b Expr, equal func(a, b Expr) bool) bool {
	switch a := a.(type) {
	case *Case:
		b, ok := b.(*Case)
		return ok && equal(a.Operand, b.Operand) && equal(a.Else, b.Else) && slices.EqualFunc(a.Whens, b.Whens, func(v, w When) bool {
			return equal(v.Cond, w.Cond) && equal(v.Then, w.Then)
		})
	case *Cast:
		b, ok := b.(*Cast)
		return ok && a.Try == b.Try && a.To.equal(b.To) && equal(a.X, b.X)
	case *Extract:
		b, ok := b.(*Extract)
		return ok && a.Part == b.Part && equal(a.X, b.X)
	case *Call:
		b, ok := b.(*Call)
		return ok && equalCall(a, b, equal)
	case *WindowCall:
		b, ok := b.(*WindowCall)
		return ok && equalCall(a.Call, b.Call, equal) && slices.EqualFunc(a.Partition, b.Partition, equal) && equalFrame(a.Frame, b.Frame) &&
			slices.EqualFunc(a.Order, b.Order, func(v, w OrderItem) bool { return v.Desc == w.Desc && equal(v.X, w.X) })
	case *Bucket:
		b, ok := b.(*Bucket)
		return ok && a.Grain == b.Grain && a.From == b.From && equalZones(a.Zone, b.Zone) && equal(a.X, b.X)
	case *BucketOrdinal:
		b, ok := b.(*BucketOrdinal)
		return ok && a.Grain == b.Grain && equal(a.X, b.X)
	case *LocalTime:
		b, ok := b.(*LocalTime)
		return ok && a.From == b.From && equalZones(a.Zone, b.Zone) && equal(a.X, b.X)
	case *DecodeTimeCodeExpr:
		b, ok := b.(*DecodeTimeCodeExpr)
		return ok && a.Code.Text == b.Code.Text && a.Code.Numeric == b.Code.Numeric && a.Grain == b.Grain && a.Local == b.Local && equalZones(a.Zone, b.Zone) && equal(a.X, b.X)
	case *DeclaredTypeExpr:
		b, ok := b.(*DeclaredTypeExpr)
		return ok && a.Type == b.Type && a.ReadsClock == b.ReadsClock && equal(a.X, b.X)
	case *SafeDivide:
		b, ok := b.(*SafeDivide)
		return ok && equal(a.L, b.L) && equal(a.R, b.R)
	}
	return equalNativeExprs(a, b, equal)
}

func equalCall(a, b *Call, equal func(a, b Expr) bool) bool {
	if a.Fn != b.Fn || a.Dialect != b.Dialect || a.Distinct != b.Distinct || a.Star != b.Star || a.Desc != b.Desc {
		return false
	}
	if InfoOfFunction(a.Fn).Name == "" && !a.Name.Equal(b.Name) {
		return false
	}
	return slices.EqualFunc(a.Args, b.Args, equal)
}

func equalFrame(a, b *Frame) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// Equal reports whether two names are the same: without case when neither is
// quoted, else exactly and both quoted.
func (n Name) Equal(o Name) bool {
	if n.Quoted || o.Quoted {
		return n == o
	}
	return strings.EqualFold(n.Text, o.Text)
}

func (t TypeName) equal(o TypeName) bool {
	return t.Type == o.Type && (t.Type != TypeUnknown || t.Name == o.Name) && slices.Equal(t.Args, o.Args)
}

func equalZones(a, b *TimeZone) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Name == b.Name && a.Offset == b.Offset && slices.Equal(a.Changes, b.Changes)
}
