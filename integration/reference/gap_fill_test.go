package reference_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestFill_MissingBucketsAreRows(t *testing.T) {
	w := saleWorld(t)
	w.answers(t, `{"metrics":["revenue","n","or_zero"],`+byMonth+`,`+feb+`,"fill":{},"order_by":[{"key":"metric_time__month"}]}`, `
		metric_time__month | revenue | n | or_zero
		2024-02-01 | 25 | 2 | 25
		2024-03-01 | ∅ | 0 | 0
		2024-04-01 | 35 | 2 | 35`)
	// The value goes to metrics only: March has no share, and no change.
	w.answers(t, `{"metrics":["revenue"],`+byMonth+`,`+feb+`,"fill":{"value":-1},"shares":[{"metric":"revenue"}],"where_sql":"revenue < 0"}`, `
		metric_time__month | revenue | revenue__share
		2024-03-01 | -1 | ∅`)
	// No sale in June: without other columns all buckets are there.
	w.answers(t, `{"metrics":["n"],`+byMonth+`,"time_range":{"start":"2024-06-10","end":"2024-07-02"},"fill":{},"order_by":[{"key":"metric_time__month"}]}`, `
		metric_time__month | n
		2024-06-01 | 0
		2024-07-01 | 0`)
}

func TestFill_ValueOfUndeclaredTypes(t *testing.T) {
	const question = `{"metrics":["largest"],` + byMonth + `,"time_range":{"start":"2024-01-01","end":"2024-03-01"},"fill":{"value":0}}`
	for _, c := range []struct {
		datatype, row string
		want          []string // the codes with which a database may reject the number
	}{
		{"", "1 2024-01-05 10", nil},
		{"", "1 2024-01-05 tea", []string{"sql_rejected"}},
		{"", "1 2024-01-05 ∅", []string{"sql_rejected"}},
		{"Integer", "1 2024-01-05 ∅", nil},
	} {
		w := given(t, "sale(id! Integer, day Date, x "+c.datatype+")\n\tlargest: MAX(sale.x)", map[string]string{"sale": "id day x\n" + c.row})
		got, err := w.ask(t, question)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got.May, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s of the type %q: -want +got\n%s", c.row, c.datatype, diff)
		}
	}
	w := given(t, "sale(id! Integer, day Date, x String)\n\tlargest: MAX(sale.x)", map[string]string{"sale": "id day x\n1 2024-01-05 tea"})
	w.refuses(t, question, "bad_request")
}

func TestFill_BeginsInTheYearOne(t *testing.T) {
	w := signalsWorld(t, "2024-10-27T00:30:00")
	hours := func(zone string) string {
		return `{"metrics":["count"],"group_by":[{"field":"signals.at","grain":"hour"}],"fill":{},"time_range":{"dimension":"at","start":"0001-01-01","end":"0001-01-01T02:00:00"},"time_zone":"` + zone + `"}`
	}
	// The clock of Berlin was 53:28 ahead; hours before 1970 are those of 1970.
	w.answers(t, hours("Europe/Berlin"), `
		at__hour | count
		0001-01-01T00:00:00Z | 0
		0001-01-01T01:00:00Z | 0`)
	w.refuses(t, hours("Asia/Kolkata"), "unsupported_filter")
	w.refuses(t, `{"metrics":["count"],"group_by":[{"field":"signals.plain","grain":"week"}],"fill":{},"time_range":{"dimension":"plain","start":"0001-01-01","end":"0001-01-09"},"week_start":"sunday"}`, "unsupported_filter")
}

func TestFill_EveryCombinationThatHasARow(t *testing.T) {
	w := saleWorld(t)
	// A has no sale in February and March, B none later, the rest none before April; no shop is C.
	w.answers(t, `{"metrics":["n"],"group_by":[{"field":"sale.shop"},{"field":"metric_time","grain":"month"}],`+feb+`,"fill":{},"totals":[["metric_time__month"],["shop"]],"order_by":[{"key":"shop"}]}`, `
		shop | metric_time__month | n | level
		A | 2024-02-01 | 0 | 0
		A | 2024-03-01 | 0 | 0
		A | 2024-04-01 | 1 | 0
		B | 2024-02-01 | 2 | 0
		B | 2024-03-01 | 0 | 0
		B | 2024-04-01 | 0 | 0
		∅ | 2024-02-01 | 0 | 0
		∅ | 2024-03-01 | 0 | 0
		∅ | 2024-04-01 | 1 | 0
		∅ | 2024-02-01 | 2 | 1
		∅ | 2024-03-01 | 0 | 1
		∅ | 2024-04-01 | 2 | 1
		A | ∅ | 1 | 2
		B | ∅ | 2 | 2
		∅ | ∅ | 1 | 2`)
}

func TestFill_WindowsSeeABucketWithoutData(t *testing.T) {
	w := visitsWorld(t)
	// March lies between 5 of February and 8 of April.
	w.answers(t, `{"metrics":["total","before","change","after","rolling","running","quarter_to_date","last_two","place","share_of"],`+byMonth+`,"time_range":{"start":"2024-02-01","end":"2024-05-01"},"fill":{"value":0},"order_by":[{"key":"metric_time__month"}]}`, `
		metric_time__month | total | before | change | after | rolling | running | quarter_to_date | last_two | place | share_of
		2024-02-01 | 5 | 30 | -25 | ∅ | 35 | 35 | 35 | 35 | 2 | 13
		2024-03-01 | 0 | 5 | ∅ | ∅ | 5 | 35 | 35 | ∅ | ∅ | ∅
		2024-04-01 | 8 | ∅ | ∅ | 4 | 8 | 43 | 8 | 13 | 1 | 13`)
}

func TestFill_AndCompare(t *testing.T) {
	w := saleWorld(t)
	// May has the bucket of April before it; June that of May, which has no rows.
	w.answers(t, `{"metrics":["n","revenue"],`+byMonth+`,"time_range":{"start":"2024-05-01","end":"2024-07-01"},"compare":{"offset":{"count":1,"unit":"month"}},"fill":{"value":7},"order_by":[{"key":"metric_time__month"}]}`, `
		metric_time__month | n | revenue | n__previous | n__change | n__change_ratio | revenue__previous | revenue__change | revenue__change_ratio
		2024-05-01 | 0 | ∅ | 2 | -2 | -1 | 35 | ∅ | ∅
		2024-06-01 | 0 | 7 | 0 | 0 | ∅ | ∅ | ∅ | ∅`)
}

func TestFill_NeedsOneBucketAndItsRange(t *testing.T) {
	w := saleWorld(t)
	w.refuses(t, `{"metrics":["n"],`+byMonth+`,"fill":{}}`, "time_range_required")
	w.refuses(t, `{"metrics":["n"],`+byMonth+`,"time_range":{"start":"2024-02-01"},"fill":{}}`, "time_range_required")
	w.refuses(t, `{"metrics":["n"],`+byShop+`,`+feb+`,"fill":{}}`, "time_grain_required")
	w.refuses(t, `{"metrics":["n"],"group_by":[{"field":"sale.day","grain":"day"}],"time_range":{"start":"1990-01-01","end":"2024-01-01"},"fill":{}}`, "fill_too_large")
	w.refuses(t, `{"metrics":["n"],"group_by":[{"field":"sale.day","grain":"day"},{"field":"sale.shop"}],"time_range":{"start":"2020-01-01","end":"2024-01-01"},"fill":{}}`, "fill_too_large")
}
