package compile_test

import (
	"context"
	"errors"
	"testing"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
)

func TestAt_MetricOfAModelHasALevelAndOperands(t *testing.T) {
	cat := sound(t, derived("SUM(amount)", `{"v": "1.10", "derive": {"type": "at", "expr": "AVG(revenue) / MAX(MIN(orders.amount))", "include": ["orders.customer_id"], "exclude": ["region"]}}`))
	m := last(cat)
	if m.At == nil || m.At.Include[0].Column != "customer_id" || m.At.Exclude[0] != "region" || m.Kind != catalog.KindExpression || m.Additivity() != catalog.NonAdditiveMetric {
		t.Fatalf("%+v %s %s", m.At, m.Kind, m.Additivity())
	}
	if members := m.MemberMetrics(); len(members) != 1 || members[0].Name != "revenue" {
		t.Errorf("%v", members)
	}
	if n := len(m.Forms.Default.Operands); n != 2 {
		t.Errorf("%d operands, want revenue and the minimum", n)
	}
}

func TestAt_ModelErrors(t *testing.T) {
	for payload, code := range map[string]string{
		`{"v": "1.10", "derive": {"type": "at", "expr": "revenue", "include": ["orders.customer_id"]}}`:                                        compile.CodeNotAnAggregate,
		`{"v": "1.10", "derive": {"type": "at", "expr": "COUNT(*)", "include": ["orders.customer_id"]}}`:                                       compile.CodeNotAnAggregate,
		`{"v": "1.10", "derive": {"type": "at", "expr": "AVG(orders.amount)", "include": ["orders.customer_id"]}}`:                             compile.CodeBareColumn,
		`{"v": "1.10", "derive": {"type": "at", "expr": "AVG(SUM(MAX(orders.amount)))", "include": ["orders.customer_id"]}}`:                   compile.CodeNestedAggregate,
		`{"v": "1.10", "derive": {"type": "at", "expr": "AVG(SUM(orders.amount))", "exclude": ["region"]}}`:                                    compile.CodeNestedAggregate,
		`{"v": "1.10", "derive": {"type": "at", "expr": "AVG(revenue)", "include": ["a..b"]}}`:                                                 "invalid_vendor_extension",
		`{"v": "1.10", "derive": {"type": "at", "expr": "revenue"}}`:                                                                           "invalid_vendor_extension",
		`{"v": "1.10", "derive": {"type": "at", "expr": "revenue", "exclude": ["region"], "only": []}}`:                                        "invalid_vendor_extension",
		`{"v": "1.10", "derive": {"type": "at", "expr": "revenue", "unfiltered": false}}`:                                                      "invalid_vendor_extension",
		`{"v": "1.10", "derive": {"type": "at", "expr": "AVG(revenue)", "include": ["a", "b", "c", "d", "e", "f", "g", "h", "i"]}}`:            "invalid_vendor_extension",
		`{"v": "1.10", "derive": {"type": "filter", "base": "level", "where": "region = 'x'"}}`:                                                "not_implemented",
		`{"v": "1.10", "derive": {"type": "at", "expr": "SUM(revenue)", "include": ["orders.customer_id"]}, "window": {"type": "cumulative"}}`: "not_implemented",
	} {
		model := base + "  ~ level: SUM(amount)\n    @ {\"v\": \"1.10\", \"derive\": {\"type\": \"at\", \"expr\": \"revenue\", \"only\": []}}\n  ~ x: SUM(amount)\n    @ " + payload + "\n"
		err := last(compiled(t, model)).Err
		if err == nil || err.Code != code {
			t.Errorf("%s: %v, want %s", payload, err, code)
		}
	}
}

func TestAt_LevelsInEachOtherAreBounded(t *testing.T) {
	cat := sound(t, base)
	at := &compile.QueryLevel{Include: []string{"orders.customer_id"}}
	metrics := []compile.QueryMetric{{Location: "metrics/0", Name: "m0", Expression: "revenue", At: &compile.QueryLevel{HasOnly: true}}}
	for i, name := range []string{"m1", "m2", "m3", "m4"} {
		metrics = append(metrics, compile.QueryMetric{Location: "metrics/" + name, Name: name, Expression: "AVG(" + metrics[i].Name + ")", At: at})
	}
	if _, err := compile.ExtendCatalog(context.Background(), cat, nil, metrics[:4]); err != nil {
		t.Fatal(err)
	}
	_, err := compile.ExtendCatalog(context.Background(), cat, nil, metrics)
	var failure *modelspec.CompileError
	if !errors.As(err, &failure) || failure.Code != compile.CodeBadRequest || failure.Location != "metrics/m4/at" {
		t.Errorf("%v", err)
	}
}
