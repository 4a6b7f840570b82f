package reference_test

import "testing"

const sale = `
	sale(id! Integer, day Date, shop String, kind String, amount Integer, buyer String)
	revenue: SUM(sale.amount)
	buyers: COUNT(DISTINCT sale.buyer)
	n: COUNT(sale.id)
	mean: SUM(sale.amount) / COUNT(sale.id)
	or_zero: SUM(sale.amount) {"fill_nulls_with":0}
	running: SUM(sale.amount) {"window":{"type":"cumulative","function":"sum"}}
	place: SUM(sale.amount) {"window":{"rank":{"function":"rank"}}}
	in_bucket: SUM(sale.amount) {"window":{"frame":{"function":"sum","scope":"partition","partition":{"mode":"time_bucket"}}}}`

// saleWorld has six sales, one of them of no shop.
func saleWorld(t *testing.T) world {
	return given(t, sale, map[string]string{"sale": `id day shop kind amount buyer
		1 2024-01-05 A tea 10 p
		2 2024-01-20 A jam 30 q
		3 2024-02-03 B tea 20 p
		4 2024-02-10 B tea 5 r
		5 2024-04-01 A rye 15 q
		6 2024-04-02 ∅ jam 20 s`})
}

const byShop = `"group_by":[{"field":"sale.shop"}]`

func TestTotals_AreComputedFromInputRows(t *testing.T) {
	w := saleWorld(t)
	// Four buyers in all: the total of the distinct ones is not 5.
	w.answers(t, `{"metrics":["revenue","buyers","mean"],`+byShop+`,"totals":[[]],"order_by":[{"key":"shop"}]}`, `
		shop | revenue | buyers | mean | level
		A | 55 | 2 | 18.33333333 | 0
		B | 25 | 2 | 12.5 | 0
		∅ | 20 | 1 | 20 | 0
		∅ | 100 | 4 | 16.66666667 | 1`)
	// Levels are numbered as they are requested, and a column outside is NULL.
	w.answers(t, `{"metrics":["revenue"],"group_by":[{"field":"sale.shop"},{"field":"sale.kind"}],"totals":[["kind"],[],["shop"]],"order_by":[{"key":"revenue","desc":true}],"limit":1}`, `
		shop | kind | revenue | level
		A | jam | 30 | 0
		∅ | jam | 50 | 1
		∅ | tea | 35 | 1
		∅ | rye | 15 | 1
		∅ | ∅ | 100 | 2
		A | ∅ | 55 | 3
		B | ∅ | 25 | 3
		∅ | ∅ | 20 | 3`)
}

func TestTotals_ConditionsAndLimitsChooseRowsOfLevelZero(t *testing.T) {
	w := saleWorld(t)
	w.answers(t, `{"metrics":["revenue"],`+byShop+`,"totals":[[]],"where_sql":"revenue > 20 AND sale.kind <> 'rye'","limit":1,"offset":1}`, `
		shop | revenue | level
		B | 25 | 0
		∅ | 85 | 1`)
	w.answers(t, `{"metrics":["revenue","n"],`+byShop+`,"totals":[[]],"context_filter":"sale.kind = 'ham'"}`, `
		shop | revenue | n | level
		∅ | ∅ | 0 | 1`)
}

func TestTotals_WindowsRunAmongTheRowsOfTheirLevel(t *testing.T) {
	w := saleWorld(t)
	w.answers(t, `{"metrics":["running","place","in_bucket"],"group_by":[{"field":"metric_time","grain":"quarter"},{"field":"sale.kind"}],"totals":[["metric_time__quarter"],["kind"],[]],"order_by":[{"key":"metric_time__quarter"}]}`, `
		metric_time__quarter | kind | running | place | in_bucket | level
		2024-01-01 | jam | 30 | 2 | 65 | 0
		2024-01-01 | tea | 35 | 1 | 65 | 0
		2024-04-01 | jam | 50 | 3 | 35 | 0
		2024-04-01 | rye | 15 | 4 | 35 | 0
		2024-01-01 | ∅ | 65 | 1 | 65 | 1
		2024-04-01 | ∅ | 100 | 2 | 35 | 1
		∅ | jam | ∅ | 1 | 100 | 2
		∅ | rye | ∅ | 3 | 100 | 2
		∅ | tea | ∅ | 2 | 100 | 2
		∅ | ∅ | ∅ | 1 | 100 | 3`)
}

func TestTotals_RefusesWhatIsNoLevel(t *testing.T) {
	w := saleWorld(t)
	w.refuses(t, `{"metrics":["revenue"],`+byShop+`,"totals":[["shop"]]}`, "bad_request")
	w.refuses(t, `{"metrics":["revenue"],"totals":[[]]}`, "bad_request")
	w.refuses(t, `{"metrics":["revenue"],`+byShop+`,"totals":[["town"]]}`, "unknown_dimension")
	w.refuses(t, `{"metrics":["revenue"],`+byShop+`,"totals":[[]],"order_by":[{"key":"level"}]}`, "unknown_order_key")
	w.refuses(t, `{"metrics":["revenue"],`+byShop+`,"totals":[[]],"where_sql":"level > 0"}`, "unknown_dimension")
	w.refuses(t, `{"metrics":["revenue"],"group_by":[{"field":"sale.shop","name":"level"}],"totals":[[]]}`, "duplicate_output_name")
}

func TestShares_DivideByTheLevelOfTheInputRows(t *testing.T) {
	w := saleWorld(t)
	// Of four buyers in all, and of 100 also where the condition on the result hides some.
	w.answers(t, `{"metrics":["revenue","buyers"],`+byShop+`,"shares":[{"metric":"buyers"},{"metric":"revenue"}],"totals":[[]],"where_sql":"revenue > 20","order_by":[{"key":"shop"}]}`, `
		shop | revenue | buyers | buyers__share | revenue__share | level
		A | 55 | 2 | 0.5 | 0.55 | 0
		B | 25 | 2 | 0.5 | 0.25 | 0
		∅ | 100 | 4 | 1 | 1 | 1`)
	// A share of a shop has no meaning on a row of all shops. Rye has 15 of the 55 of shop A.
	w.answers(t, `{"metrics":["revenue"],"group_by":[{"field":"sale.kind"},{"field":"sale.shop"}],"shares":[{"metric":"revenue","of":["shop"]}],"totals":[["kind"],["shop"]],"where_sql":"revenue__share__shop < 0.5","order_by":[{"key":"kind"}]}`, `
		kind | shop | revenue | revenue__share__shop | level
		rye | A | 15 | 0.2727272727 | 0
		tea | A | 10 | 0.1818181818 | 0
		jam | ∅ | 50 | ∅ | 1
		rye | ∅ | 15 | ∅ | 1
		tea | ∅ | 35 | ∅ | 1
		∅ | A | 55 | 1 | 2
		∅ | B | 25 | 1 | 2
		∅ | ∅ | 20 | 1 | 2`)
}

func TestShares_OfNothingAreNull(t *testing.T) {
	w := given(t, `
		t(id! Integer, kind String, n Integer)
		total: SUM(t.n)
		parts: COUNT(t.n)
		either: COUNT(CASE WHEN t.n > 5 THEN t.n END) {"derive":{"type":"filter","base":"parts","where":"n > :least"},"params":[{"name":"least","type":"int","default":5}]}`,
		map[string]string{"t": "id kind n\n1 a 4\n2 b -4\n3 c ∅"})
	w.answers(t, `{"metrics":["total","parts"],"group_by":[{"field":"t.kind"}],"shares":[{"metric":"total"},{"metric":"parts","of":["kind"]}]}`, `
		kind | total | parts | total__share | parts__share__kind
		a | 4 | 1 | ∅ | 1
		b | -4 | 1 | ∅ | 1
		c | ∅ | 0 | ∅ | ∅`)
	w.answers(t, `{"metrics":["either"],"group_by":[{"field":"t.kind"}],"params":{"least":[0,3]},"where_sql":"either__0 = 1","shares":[{"metric":"either"},{"metric":"either__3","of":["kind"]}]}`, `
		kind | either__0 | either__3 | either__0__share | either__3__share | either__3__share__kind
		a | 1 | 1 | 1 | 1 | 1`)
	w.refuses(t, `{"metrics":["total"],"shares":[{"metric":"parts"}]}`, "unknown_metric")
	w.refuses(t, `{"metrics":["total"],"shares":[{"metric":"total","of":["kind"]}]}`, "unknown_dimension")
	w.refuses(t, `{"metrics":["total"],"shares":[{"metric":"total"},{"metric":"total"}]}`, "duplicate_output_name")
	saleWorld(t).refuses(t, `{"metrics":["place"],`+byShop+`,"shares":[{"metric":"place"}]}`, "not_implemented")
}

func TestTop_MergesTheOthersAndKeepsNull(t *testing.T) {
	w := saleWorld(t)
	w.answers(t, `{"metrics":["revenue","buyers"],"group_by":[{"field":"sale.kind"}],"top":{"dimension":"kind","n":1,"other":"rest"},"order_by":[{"key":"kind"}]}`, `
		kind | kind__other | revenue | buyers
		jam | false | 50 | 2
		rest | true | 50 | 3`)
	// The sale of no shop is not among the others, and takes no place of the one that stays.
	w.answers(t, `{"metrics":["n"],`+byShop+`,"top":{"dimension":"shop","n":1,"desc":false,"by":"n"},"totals":[[]],"order_by":[{"key":"n"}]}`, `
		shop | shop__other | n | level
		∅ | false | 1 | 0
		B | false | 2 | 0
		∅ | true | 3 | 0
		∅ | ∅ | 6 | 1`)
	// Nothing remains where n is large enough.
	w.answers(t, `{"metrics":["n"],`+byShop+`,"top":{"dimension":"shop","n":2},"order_by":[{"key":"shop__other"},{"key":"shop"}]}`, `
		shop | shop__other | n
		A | false | 3
		B | false | 2
		∅ | false | 1`)
}

func TestTop_DropsTheOthersFromAllLevels(t *testing.T) {
	saleWorld(t).answers(t, `{"metrics":["revenue"],"group_by":[{"field":"sale.kind"}],"top":{"dimension":"kind","n":1,"other":false},"totals":[[]],"shares":[{"metric":"revenue"}],"order_by":[{"key":"kind"}]}`, `
		kind | revenue | revenue__share | level
		jam | 50 | 1 | 0
		∅ | 50 | 1 | 1`)
}

func TestTop_WithinRanksInEachGroup(t *testing.T) {
	w := saleWorld(t)
	w.answers(t, `{"metrics":["revenue"],"group_by":[{"field":"sale.shop"},{"field":"sale.kind"}],"top":{"dimension":"kind","n":1,"within":["shop"]},"totals":[["kind"]],"order_by":[{"key":"shop"}]}`, `
		shop | kind | kind__other | revenue | level
		A | jam | false | 30 | 0
		A | ∅ | true | 25 | 0
		B | tea | false | 25 | 0
		∅ | jam | false | 20 | 0
		∅ | jam | false | 50 | 1
		∅ | tea | false | 25 | 1
		∅ | ∅ | true | 25 | 1`)
	// Without it the same kind stays everywhere: rye and tea are the others of both shops.
	w.answers(t, `{"metrics":["revenue"],"group_by":[{"field":"sale.shop"},{"field":"sale.kind"}],"top":{"dimension":"kind","n":1},"where_sql":"kind__other","order_by":[{"key":"shop"}]}`, `
		shop | kind | kind__other | revenue
		A | ∅ | true | 25
		B | ∅ | true | 25`)
}

func TestTop_TiesGoToTheSmallerValueAndNullsRankLast(t *testing.T) {
	w := given(t, `
		t(id! Integer, kind String, n Integer)
		total: SUM(t.n)
		rows: COUNT(t.id)`,
		map[string]string{"t": "id kind n\n1 c 4\n2 b 4\n3 a 9\n4 d ∅\n5 e ∅\n6 e 1"})
	w.answers(t, `{"metrics":["total","rows"],"group_by":[{"field":"t.kind"}],"top":{"dimension":"kind","n":2},"order_by":[{"key":"kind"}]}`, `
		kind | kind__other | total | rows
		a | false | 9 | 1
		b | false | 4 | 1
		∅ | true | 5 | 4`)
	w.answers(t, `{"metrics":["total","rows"],"group_by":[{"field":"t.kind"}],"top":{"dimension":"kind","n":4,"desc":false},"order_by":[{"key":"kind"}]}`, `
		kind | kind__other | total | rows
		a | false | 9 | 1
		b | false | 4 | 1
		c | false | 4 | 1
		e | false | 1 | 2
		∅ | true | ∅ | 1`)
	w.refuses(t, `{"metrics":["total"],"group_by":[{"field":"t.kind"}],"top":{"dimension":"kind","n":4,"by":"rows"}}`, "unknown_order_key")
	w.refuses(t, `{"metrics":["total"],"group_by":[{"field":"t.kind"}],"top":{"dimension":"town","n":4}}`, "unknown_dimension")
}

const feb = `"time_range":{"start":"2024-02-01","end":"2024-05-01"}`

func TestCompare_BucketsMeetEarlierBuckets(t *testing.T) {
	w := saleWorld(t)
	w.answers(t, `{"metrics":["revenue"],"group_by":[{"field":"metric_time","grain":"month"}],`+feb+`,"compare":{"offset":{"count":1,"unit":"month"}},"order_by":[{"key":"metric_time__month"}]}`, `
		metric_time__month | revenue | revenue__previous | revenue__change | revenue__change_ratio
		2024-02-01 | 25 | 40 | -15 | -0.375
		2024-03-01 | ∅ | 25 | ∅ | ∅
		2024-04-01 | 35 | ∅ | ∅ | ∅`)
	// The total compares [2024-02-01, 2024-05-01) with [2024-01-01, 2024-04-01): 60 with 65.
	w.answers(t, `{"metrics":["revenue","n"],"group_by":[{"field":"metric_time","grain":"month"}],`+feb+`,"compare":{"offset":{"count":1,"unit":"month"},"metrics":["n"]},"totals":[[]],"where_sql":"n__previous > 0"}`, `
		metric_time__month | revenue | n | n__previous | n__change | n__change_ratio | level
		2024-02-01 | 25 | 2 | 2 | 0 | 0 | 0
		2024-03-01 | ∅ | 0 | 2 | -2 | -1 | 0
		∅ | 60 | 4 | 4 | 0 | 0 | 1`)
}

func TestCompare_RangesMeetOnTheGroups(t *testing.T) {
	w := saleWorld(t)
	// January has 40 of shop A; February 25 of B; neither has a sale of no shop.
	w.answers(t, `{"metrics":["revenue","n"],`+byShop+`,"time_range":{"start":"2024-02-01","end":"2024-03-01"},"compare":{"range":{"start":"2024-01-01","end":"2024-02-01"}},"shares":[{"metric":"n"}],"order_by":[{"key":"shop"}]}`, `
		shop | revenue | n | revenue__previous | revenue__change | revenue__change_ratio | n__previous | n__change | n__change_ratio | n__share
		A | ∅ | 0 | 40 | ∅ | ∅ | 2 | -2 | -1 | 0
		B | 25 | 2 | ∅ | ∅ | ∅ | 0 | 2 | ∅ | 1`)
	// Two months of current against three of the other: the first two meet.
	w.answers(t, `{"metrics":["n"],"group_by":[{"field":"sale.day","grain":"month"}],"time_range":{"start":"2024-03-15","end":"2024-04-02"},"compare":{"range":{"start":"2024-01-10","end":"2024-04-01"}},"order_by":[{"key":"day__month"}]}`, `
		day__month | n | n__previous | n__change | n__change_ratio
		2024-03-01 | 0 | 1 | -1 | -1
		2024-04-01 | 1 | 2 | -1 | -0.5`)
	w.answers(t, `{"metrics":["n"],"group_by":[{"field":"sale.day","grain":"month"}],"time_range":{"start":"2024-01-01","end":"2024-03-01"},"compare":{"range":{"start":"2024-03-01","end":"2024-04-01"}},"order_by":[{"key":"day__month"}]}`, `
		day__month | n | n__previous | n__change | n__change_ratio
		2024-01-01 | 2 | 0 | 2 | ∅
		2024-02-01 | 2 | ∅ | ∅ | ∅`)
}

// The range of March moves to that of February; 30 March has no partner there.
func TestCompare_DayThatDoesNotExist(t *testing.T) {
	w := given(t, `
		t(id! Integer, day Date)
		n: COUNT(t.id)`,
		map[string]string{"t": "id day\n1 2024-02-28\n2 2024-02-29\n3 2024-03-28\n4 2024-03-30\n5 2024-02-29"})
	w.answers(t, `{"metrics":["n"],"group_by":[{"field":"t.day","grain":"day"}],"time_range":{"start":"2024-03-01","end":"2024-03-31"},"compare":{"offset":{"count":1,"unit":"month"}},"totals":[[]],"order_by":[{"key":"day__day"}]}`, `
		day__day | n | n__previous | n__change | n__change_ratio | level
		2024-03-28 | 1 | 1 | 0 | 0 | 0
		2024-03-30 | 1 | ∅ | ∅ | ∅ | 0
		∅ | 2 | 1 | 1 | 1 | 1`)
}

func TestCompare_RefusesWhatHasNoPartner(t *testing.T) {
	w := saleWorld(t)
	const byDay = `"group_by":[{"field":"sale.day"}]`
	w.refuses(t, `{"metrics":["n"],"compare":{"offset":{"count":1,"unit":"month"}}}`, "time_range_required")
	w.refuses(t, `{"metrics":["n"],"time_range":{"start":"2024-02-01"},"compare":{"offset":{"count":1,"unit":"month"}}}`, "time_range_required")
	w.refuses(t, `{"metrics":["n"],`+byDay+`,`+feb+`,"compare":{"offset":{"count":1,"unit":"month"}}}`, "time_grain_required")
	w.refuses(t, `{"metrics":["n"],"group_by":[{"field":"sale.day","grain":"month"},{"field":"sale.day","grain":"week"}],`+feb+`,"compare":{"offset":{"count":1,"unit":"year"}}}`, "not_implemented")
	w.refuses(t, `{"metrics":["n"],"group_by":[{"field":"sale.day","grain":"month"}],`+feb+`,"compare":{"offset":{"count":1,"unit":"week"}}}`, "not_implemented")
	w.refuses(t, `{"metrics":["place"],`+byShop+`,`+feb+`,"compare":{"offset":{"count":1,"unit":"week"}}}`, "not_implemented")
	w.refuses(t, `{"metrics":["n"],`+byShop+`,`+feb+`,"compare":{"offset":{"count":1,"unit":"week"},"metrics":["revenue"]}}`, "unknown_metric")
}

// Tea leads the current range; of the previous one jam remains.
func TestTop_UsesCurrentValuesUnderCompare(t *testing.T) {
	saleWorld(t).answers(t, `{"metrics":["revenue"],"group_by":[{"field":"sale.kind"}],"time_range":{"start":"2024-02-01","end":"2024-03-01"},"compare":{"offset":{"count":1,"unit":"month"}},"top":{"dimension":"kind","n":1},"order_by":[{"key":"kind"}]}`, `
		kind | kind__other | revenue | revenue__previous | revenue__change | revenue__change_ratio
		tea | false | 25 | 10 | 15 | 1.5
		∅ | true | ∅ | 30 | ∅ | ∅`)
}
