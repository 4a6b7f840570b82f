package sqlexpr

import "testing"

func TestFormat_GeneratedNodesInAngleBrackets(t *testing.T) {
	tests := []struct {
		e    Expr
		want string
	}{
		{&Ref{ID: 7}, "<ref 7>"},
		{&Bucket{Grain: GrainMonth, From: TypeDate, X: col("d")}, "<bucket(month, d)>"},
		{&BucketOrdinal{Grain: GrainWeek, X: &Ref{ID: 1}}, "<ordinal(week, <ref 1>)>"},
		{&DecodeTimeCodeExpr{Code: &TimeCode{Text: "yyyyMMdd"}, X: col("d")}, "<decode(yyyyMMdd, d)>"},
		{&DecodeTimeCodeExpr{Code: &TimeCode{Text: "epoch_seconds"}, Grain: GrainHour, Zone: &TimeZone{Name: "Asia/Tokyo"}, Local: true, X: col("s")}, "<decode(epoch_seconds in Asia/Tokyo by hour local, s)>"},
		{&LocalTime{Zone: &TimeZone{Name: "Asia/Tokyo"}, X: col("t")}, "<local(in Asia/Tokyo, t)>"},
		{&LocalTime{X: col("t")}, "<local(t)>"},
		{&SafeDivide{L: bin(OpAdd, col("a"), col("b")), R: col("c")}, "<divide(a + b, c)>"},
		{bin(OpMul, &SafeDivide{L: col("a"), R: col("b")}, num("2")), "<divide(a, b)> * 2"},
	}
	for _, test := range tests {
		if got := Format(test.e); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestFormat_GeneratedTrees(t *testing.T) {
	tests := []struct {
		e    Expr
		want string
	}{
		{nil, ""},
		{col("end"), `"end"`},
		{col("end", "end"), "end.end"},
		{col("two words"), `"two words"`},
		{col("1st"), `"1st"`},
		{num("-5"), "(-5)"},
		{&Cast{X: col("a"), To: TypeName{Type: TypeInt}}, "CAST(a AS BIGINT)"},
		{&Cast{X: col("a"), To: TypeName{Type: TypeDecimal, Args: []int{10, 2}}}, "CAST(a AS DECIMAL(10, 2))"},
		{&Call{Fn: FnCoalesce, Args: []Expr{col("a"), num("0")}}, "COALESCE(a, 0)"},
		{&Call{Fn: FnUnknown, Name: Name{Text: "cast"}, Args: []Expr{col("a")}}, `"cast"(a)`},
		{bin(OpSub, col("a"), bin(OpSub, col("b"), col("c"))), "a - (b - c)"},
		{bin(OpAnd, bin(OpOr, col("a"), col("b")), &Unary{Op: OpNot, X: bin(OpOr, col("c"), col("d"))}), "(a OR b) AND NOT (c OR d)"},
		{&Unary{Op: OpNeg, X: bin(OpMul, col("a"), col("b"))}, "-(a * b)"},
		{&Between{X: bin(OpEq, col("a"), col("b")), Lo: bin(OpLt, col("c"), col("d")), Hi: &Unary{Op: OpNot, X: col("e")}}, "(a = b) BETWEEN (c < d) AND (NOT e)"},
	}
	for _, test := range tests {
		if got := Format(test.e); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestAppend_KeepsPrefix(t *testing.T) {
	if got := string(AppendFormatted([]byte("WHERE "), mustParse(t, "a=1"))); got != "WHERE a = 1" {
		t.Errorf("got %q", got)
	}
}
