package sqlexpr

import "testing"

// columnTypes types the columns of these tests by their first letter.
func columnTypes(e Expr) Type {
	c, ok := e.(*Column)
	if !ok {
		return TypeUnknown
	}
	return map[byte]Type{
		'i': TypeInt, 'n': TypeDecimal, 'f': TypeFloat, 's': TypeString, 'b': TypeBool,
		'd': TypeDate, 't': TypeTimestamp, 'z': TypeTimestampTZ,
	}[c.Path[0].Text[0]]
}

func TestTypeOf_Infers(t *testing.T) {
	tests := []struct {
		text string
		want Type
	}{
		{"i", TypeInt}, {"u", TypeUnknown}, {":p", TypeUnknown}, {"(SELECT 1)", TypeUnknown},
		{"1", TypeInt}, {"1.5", TypeDecimal}, {"1e3", TypeFloat}, {"'a'", TypeString}, {"TRUE", TypeBool}, {"NULL", TypeUnknown},
		{"DATE '2024-01-31'", TypeDate}, {"TIMESTAMPTZ '2024-01-31'", TypeTimestampTZ}, {"INTERVAL '1' DAY", TypeInterval},
		{"i = u", TypeBool}, {"u AND u", TypeBool}, {"NOT u", TypeBool}, {"u IS NULL", TypeBool}, {"u IS TRUE", TypeBool},
		{"u BETWEEN 1 AND 2", TypeBool}, {"u IN (1)", TypeBool}, {"u LIKE 'x'", TypeBool}, {"u IS DISTINCT FROM u", TypeBool},
		{"-n", TypeDecimal}, {"-u", TypeUnknown},
		{"i + 1", TypeInt}, {"i * n", TypeDecimal}, {"n - 1", TypeDecimal}, {"n + f", TypeFloat}, {"i % 2", TypeInt}, {"MOD(n, 2)", TypeDecimal},
		{"i + u", TypeUnknown}, {"f * u", TypeUnknown}, {"i + s", TypeUnknown},
		{"i / i", TypeFloat}, {"u / u", TypeFloat}, {"u || u", TypeString},
		{"d + INTERVAL '1' DAY", TypeDate}, {"INTERVAL '1' MONTH + d", TypeDate}, {"d - INTERVAL '1' HOUR", TypeTimestamp}, {"INTERVAL '1' DAY - d", TypeUnknown}, {"u + INTERVAL '1' DAY", TypeUnknown}, {"d - d", TypeInt}, {"d + 1", TypeDate}, {"1 + d", TypeDate}, {"d - 1", TypeDate}, {"1 - d", TypeUnknown}, {"d + u", TypeUnknown},
		{"t + INTERVAL '1' DAY", TypeTimestamp}, {"INTERVAL '1' DAY + z", TypeTimestampTZ}, {"z - INTERVAL '1' DAY", TypeTimestampTZ},
		{"INTERVAL '1' DAY - t", TypeUnknown}, {"t - t", TypeUnknown}, {"INTERVAL '1' DAY * 2", TypeInterval}, {"INTERVAL '1' DAY + INTERVAL '1' DAY", TypeInterval},
		{"CASE WHEN b THEN i END", TypeInt}, {"CASE WHEN b THEN i ELSE n END", TypeDecimal}, {"CASE WHEN b THEN NULL ELSE s END", TypeString},
		{"CASE WHEN b THEN i ELSE s END", TypeUnknown}, {"CASE WHEN b THEN i ELSE u END", TypeUnknown}, {"CASE WHEN b THEN u ELSE i END", TypeUnknown},
		{"CASE WHEN b THEN d ELSE t END", TypeUnknown}, {"CASE WHEN b THEN NULL END", TypeUnknown},
		{"u::int", TypeInt}, {"u::numeric(3,1)", TypeDecimal}, {"u::real", TypeFloat}, {"u::text", TypeString}, {"u::hugeint", TypeUnknown},
		{"u::timestamp with time zone", TypeTimestampTZ}, {"u::bool", TypeBool}, {"u::time", TypeTime},
		{"EXTRACT(YEAR FROM u)", TypeInt}, {"EXTRACT(EPOCH FROM u)", TypeUnknown}, {"YEAR(u)", TypeInt},
		{"COALESCE(i, n)", TypeDecimal}, {"COALESCE(NULL, s)", TypeString}, {"COALESCE(i, u)", TypeUnknown}, {"NULLIF(i, 0)", TypeInt},
		{"IF(b, i, f)", TypeFloat}, {"GREATEST(i, i)", TypeInt}, {"LEAST(i, s)", TypeUnknown},
		{"ABS(n)", TypeDecimal}, {"ROUND(f, 2)", TypeFloat}, {"FLOOR(i)", TypeInt}, {"SQRT(i)", TypeFloat}, {"POWER(i, 2)", TypeFloat}, {"SIGN(f)", TypeInt},
		{"DATE_TRUNC('month', t)", TypeTimestamp}, {"DATE_TRUNC('month', d)", TypeDate}, {"DATE_TRUNC('decade', d)", TypeDate}, {"DATE_TRUNC('hour', d)", TypeTimestamp}, {"DATE_TRUNC('ms', d)", TypeTimestamp}, {"DATE_TRUNC('month', u)", TypeUnknown},
		{"DATEADD('month', 1, d)", TypeDate}, {"DATEADD('minute', 1, d)", TypeTimestamp}, {"DATEADD(MONTH, 1, CAST(DATE_TRUNC('month', u) AS DATE)) - 1", TypeDate},
		{"GREATEST(DATEADD('month', 1, d), d) + 1", TypeDate}, {"CASE WHEN b THEN DATE_TRUNC('week', d) END", TypeDate}, {"MAX(DATEADD('day', 1, d))", TypeDate}, {"DATEADD('day', 1, z)", TypeTimestampTZ},
		{"DATEDIFF('day', d, d)", TypeInt}, {"TO_DATE(s)", TypeDate}, {"TO_TIMESTAMP(s)", TypeTimestamp}, {"CURRENT_DATE", TypeDate}, {"CURRENT_TIMESTAMP", TypeTimestampTZ},
		{"LOWER(u)", TypeString}, {"CONCAT(i, i)", TypeString}, {"LENGTH(s)", TypeInt}, {"POSITION('a' IN s)", TypeInt}, {"CONTAINS(s, 'a')", TypeBool},
		{"COUNT(*)", TypeInt}, {"COUNT(DISTINCT s)", TypeInt}, {"AVG(i)", TypeFloat}, {"SUM(i)", TypeInt}, {"SUM(n)", TypeDecimal}, {"SUM(f)", TypeFloat}, {"SUM(u)", TypeUnknown},
		{"SUM(s)", TypeUnknown}, {"MIN(d)", TypeDate}, {"MAX(s)", TypeString}, {"MEDIAN(i)", TypeFloat}, {"PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY d)", TypeDate}, {"LISTAGG(i, ',')", TypeString}, {"EVERY(u)", TypeBool}, {"ANY_VALUE(d)", TypeDate}, {"MODE(i)", TypeUnknown}, {"STDDEV_POP(i)", TypeFloat},
		{"SUM(i) / COUNT(*)", TypeFloat}, {"SUM(n) - SUM(i)", TypeDecimal},
		{"RANK() OVER (ORDER BY i)", TypeInt}, {"LAG(d) OVER (ORDER BY i)", TypeDate}, {"CUME_DIST() OVER (ORDER BY i)", TypeFloat},
		{"f2(i)", TypeUnknown},
	}
	for _, test := range tests {
		if got := TypeOf(mustParse(t, test.text), columnTypes); got != test.want {
			t.Errorf("%s is %s, want %s", test.text, got, test.want)
		}
	}
}

func TestTypeOf_GeneratedNodes(t *testing.T) {
	ref := func(e Expr) Type {
		if r, ok := e.(*Ref); ok && r.ID == 1 {
			return TypeInt
		}
		return TypeUnknown
	}
	tests := []struct {
		e    Expr
		want Type
	}{
		{nil, TypeUnknown}, {&Ref{ID: 1}, TypeInt}, {&Ref{ID: 2}, TypeUnknown},
		{&Bucket{Grain: GrainWeek, X: &Ref{ID: 2}}, TypeDate}, {&BucketOrdinal{X: &Ref{ID: 2}}, TypeInt}, {&SafeDivide{L: &Ref{ID: 1}, R: &Ref{ID: 1}}, TypeFloat},
		{&DecodeTimeCodeExpr{Code: &TimeCode{}, X: &Ref{ID: 1}}, TypeDate},
		{&DecodeTimeCodeExpr{Code: &TimeCode{Epoch: "seconds"}, Grain: GrainHour, X: &Ref{ID: 1}}, TypeTimestampTZ},
		{&DecodeTimeCodeExpr{Code: &TimeCode{Epoch: "seconds"}, Grain: GrainHour, Local: true, X: &Ref{ID: 1}}, TypeTimestamp},
		{&LocalTime{From: TypeTimestampTZ, X: &Ref{ID: 1}}, TypeTimestamp},
	}
	for _, test := range tests {
		if got := TypeOf(test.e, ref); got != test.want {
			t.Errorf("%s is %s, want %s", Format(test.e), got, test.want)
		}
	}
	if got := TypeOf(col("a"), nil); got != TypeUnknown {
		t.Errorf("without a leaf function a column is %s", got)
	}
}
