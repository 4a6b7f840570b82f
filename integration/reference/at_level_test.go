package reference_test

import "testing"

// The rows of these tests are worked out from the six sales by hand.

func TestAt_IncludedGroupsAreAggregatedInEachGroupAndTotal(t *testing.T) {
	w := saleWorld(t)
	w.answers(t, `{"metrics":[
			{"name":"per_buyer","expression":"AVG(revenue)","at":{"include":["sale.buyer"]}},
			{"name":"often","expression":"COUNT_IF(n > 1) / COUNT(*)","at":{"include":["sale.buyer"]}},
			{"name":"day_median","expression":"MEDIAN(SUM(sale.amount))","at":{"include":["day"]}},
			{"name":"best","expression":"SUM(MAX(sale.amount))","at":{"include":["buyer"]}},
			{"name":"all_buyers","expression":"buyers","at":{"exclude":["sale.shop"]}}],
		`+byShop+`,"totals":[[]],"order_by":[{"key":"shop"}]}`, `
		shop | per_buyer | often | day_median | best | all_buyers | level
		A | 27.5 | 0.5 | 15 | 40 | 4 | 0
		B | 12.5 | 0 | 12.5 | 25 | 4 | 0
		∅ | 20 | 0 | 20 | 20 | 4 | 0
		∅ | 25 | 0.5 | 17.5 | 75 | 4 | 1`)
}

func TestAt_UnfilteredDropsRowConditionsAndKeepsTheRange(t *testing.T) {
	w := saleWorld(t)
	w.answers(t, `{"metrics":["revenue",{"name":"whole","expression":"revenue","at":{"unfiltered":true}}],"where_sql":"sale.shop = 'A'"}`, `
		revenue | whole
		55 | 100`)
	w.answers(t, `{"metrics":["revenue",
			{"name":"rows","expression":"revenue","at":{"unfiltered":true}},
			{"name":"shops","expression":"revenue","at":{"unfiltered":["shop"]}},
			{"name":"times","expression":"revenue","at":{"unfiltered":["sale.day"]}}],
		"where_sql":"sale.shop = 'A' AND sale.kind <> 'rye'","context_filter":"sale.id < 6","time_range":{"start":"2024-01-10","end":"2024-05-01"}}`, `
		revenue | rows | shops | times
		30 | 70 | 55 | 40`)
}

func TestAt_GroupsWithoutRowsOfTheirOwnAreNotThere(t *testing.T) {
	w := saleWorld(t)
	w.answers(t, `{"metrics":[{"name":"whole","expression":"revenue","at":{"only":[],"unfiltered":true}}],`+byShop+`,"where_sql":"sale.kind = 'tea'","order_by":[{"key":"shop"}]}`, `
		shop | whole
		A | 100
		B | 100`)
}

func TestAt_IsNestedAndNamesTheMetricAtItsGroups(t *testing.T) {
	w := saleWorld(t)
	// Of the buyers of each shop, the mean of their best days: A p 10, q 30; B p 20, r 5; none s 20.
	w.answers(t, `{"metrics":[
			{"name":"best_day","expression":"MAX(revenue)","at":{"include":["sale.day"]}},
			{"name":"mean_best","expression":"AVG(best_day)","at":{"include":["sale.buyer"]}},
			{"name":"spread","expression":"MAX(n) - n / COUNT(*)","at":{"include":["sale.buyer"]}}],
		`+byShop+`,"order_by":[{"key":"shop"}]}`, `
		shop | best_day | mean_best | spread
		A | 30 | 20 | 0.5
		B | 20 | 12.5 | 0
		∅ | 20 | 20 | 0`)
}

func TestAt_RefusesWhatIsNoAggregateOfGroups(t *testing.T) {
	w := saleWorld(t)
	for code, item := range map[string]string{
		"bare_column_in_metric": `{"name":"x","expression":"AVG(sale.amount)","at":{"include":["sale.buyer"]}}`,
		"not_an_aggregate":      `{"name":"x","expression":"revenue","at":{"include":["sale.buyer"]}}`,
		"nested_aggregate":      `{"name":"x","expression":"AVG(SUM(MAX(sale.amount)))","at":{"include":["sale.buyer"]}}`,
	} {
		w.refuses(t, `{"metrics":[`+item+`]}`, code)
	}
}

func TestAt_WindowsOverMembersAskForGroupsThatAllShare(t *testing.T) {
	w := given(t, `
		shops(id! Integer, kind String, n Integer)
		visits(id! Integer, day Date, n Integer)
		both: SUM(shops.n) + SUM(visits.n)
		whole: both {"derive":{"type":"at","expr":"both","exclude":["visits.day"]}}
		moved: whole + 2 * both {"window":{"offset":{"count":2,"granularity":"week"},"calculation":"value"}}`,
		map[string]string{"shops": "id kind n\n1 a 1", "visits": "id day n\n1 2024-01-01 1"})
	w.refuses(t, `{"metrics":["whole"],"group_by":[{"field":"shops.kind"}]}`, "no_join_path", "unconformed_dimension")
	// No week is grouped either.
	w.refuses(t, `{"metrics":["moved"],"group_by":[{"field":"shops.kind"}]}`, "unconformed_dimension", "unknown_dimension")
}

func TestWindows_OverConditionsOnMembersGroupByWhatTheirRowsReach(t *testing.T) {
	w := given(t, `
		shops(id! Integer, kind String, n Integer)
		total: SUM(shops.n)
		large: total {"derive":{"type":"filter","base":"total","where":"n > 0"},"window":{"rank":{"function":"rank"}}}`,
		map[string]string{"shops": "id kind n\n1 a 1\n2 b 2\n3 c 3"})
	w.answers(t, `{"metrics":["large"],"group_by":[{"field":"shops.kind"}],"order_by":[{"key":"kind"}]}`, `
		kind | large
		a | 3
		b | 2
		c | 1`)
}
