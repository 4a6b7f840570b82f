package sqlemit_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// TestClickHouse_DecimalsAmongOtherNumbers casts both sides of IN where one of them is declared Decimal, and none beside a double.
func TestClickHouse_DecimalsAmongOtherNumbers(t *testing.T) {
	d, _ := sqlemit.LookupDialect("clickhouse")
	for _, c := range []struct {
		value sqlexpr.Type
		rows  string
		casts int
	}{
		{sqlexpr.TypeDecimal, "bigint", 2}, {sqlexpr.TypeInt, "decimal", 2}, {sqlexpr.TypeDecimal, "decimal", 2},
		{sqlexpr.TypeInt, "bigint", 0}, {sqlexpr.TypeDecimal, "double", 0}, {sqlexpr.TypeFloat, "decimal", 0}, {sqlexpr.TypeString, "varchar", 0},
	} {
		project, _ := readPlan(t, "project id = o.id\n  in o.price\n    scan orders o\n    project k:"+c.rows+" = c.k\n      scan customers c").(*plan.Project)
		in, ok := project.Input.(*plan.SemiJoin)
		if !ok {
			t.Fatal("the plan has no semi-join")
		}
		in.Type = c.value
		sql, err := sqlemit.Emit(t.Context(), project, d, sqlemit.FormatOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(sql, "toDecimal256("); got != c.casts {
			t.Errorf("%s among %s has %d casts, want %d:\n%s", c.value, c.rows, got, c.casts, sql)
		}
	}
}

// TestClickHouse_IntegerKeys casts the keys of a join that are declared Integer.
func TestClickHouse_IntegerKeys(t *testing.T) {
	d, _ := sqlemit.LookupDialect("clickhouse")
	for _, integers := range []bool{true, false} {
		project, _ := readPlan(t, "project id = o.id\n  join left o.cid = c.id\n    scan orders o\n    scan customers c").(*plan.Project)
		join, ok := project.Input.(*plan.Join)
		if !ok {
			t.Fatal("the plan has no join")
		}
		join.On[0].Integers = integers
		sql, err := sqlemit.Emit(t.Context(), project, d, sqlemit.FormatOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if cast := strings.Contains(sql, `toInt128("o".cid) = toInt128("c".id)`); cast != integers {
			t.Errorf("integers: %t\n%s", integers, sql)
		}
	}
}
