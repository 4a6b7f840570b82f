package pgwire_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgtype"
)

// oidsByTypeName are the types of the columns that the model of the tests lists.
var oidsByTypeName = map[string]uint32{
	"bigint": pgtype.Int8OID, "numeric": pgtype.NumericOID, "text": pgtype.TextOID, "date": pgtype.DateOID, "timestamp": pgtype.TimestampOID,
	"timestamptz": pgtype.TimestamptzOID, "time": pgtype.TimeOID, "boolean": pgtype.BoolOID, "double precision": pgtype.Float8OID,
}

func TestWideRelation_ShowsItsColumnsWhereItHasNoRows(t *testing.T) {
	p := startPort(t, nil)
	c := connect(t, p.url("")).PgConn()
	type column struct {
		Name string
		Type uint32
	}
	var want []column
	for _, r := range p.engine.Relations() {
		if r.Name != "shop" {
			continue
		}
		for _, listed := range r.Columns {
			want = append(want, column{listed.Name, oidsByTypeName[listed.Type]})
		}
	}
	if len(want) < 10 {
		t.Fatalf("%d columns", len(want))
	}
	for sql, params := range map[string][][]byte{
		"SELECT * FROM shop WHERE 1=0":                                 nil,
		"SELECT * FROM shop LIMIT 0":                                   nil,
		"SELECT * FROM public.shop AS t WHERE status = 'x' AND FALSE":  nil,
		"SELECT t.* FROM (SELECT * FROM shop) AS t LIMIT 0":            nil,
		"WITH t AS (SELECT * FROM shop WHERE FALSE) SELECT * FROM t":   nil,
		"SELECT * FROM shop WHERE status = ANY ('{}') ORDER BY status": nil,
		"SELECT * FROM shop WHERE 1=0 LIMIT $1":                        {[]byte("5")},
	} {
		r := c.ExecParams(t.Context(), sql, params, nil, nil, nil)
		if r.NextRow() {
			t.Errorf("%s: a row", sql)
		}
		var got []column
		for _, f := range r.FieldDescriptions() {
			got = append(got, column{f.Name, f.DataTypeOID})
		}
		if _, err := r.Close(); err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", sql, diff)
		}
	}
	for sql, state := range map[string]string{
		"SELECT * FROM shop":                              "0A000",
		"SELECT * FROM shop LIMIT 1":                      "0A000",
		"SELECT *, COUNT(*) FROM shop WHERE 1=0":          "0A000",
		"SELECT * FROM shop WHERE 1=0 AND nothing = 1":    "42703",
		"SELECT * FROM shop WHERE status = 'x' OR 1=0":    "0A000",
		"SELECT * FROM shop GROUP BY status LIMIT 0":      "0A000",
		"SELECT nothing.* FROM shop WHERE FALSE LIMIT 0":  "42P01",
		"SELECT * FROM shop WHERE FALSE ORDER BY nothing": "42703",
	} {
		if r := c.ExecParams(t.Context(), sql, nil, nil, nil, nil).Read(); stateOf(r.Err) != state {
			t.Errorf("%s: %v, want %s", sql, r.Err, state)
		}
	}
}
