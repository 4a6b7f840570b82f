package reference_test

import "testing"

const ledger = `
	entries(id! Integer, shop Integer, kind String, n Integer)
	shops(shop! Integer, town String)
	entries.shop -> shops.shop
	total: SUM(entries.n)
	entry_count: COUNT(entries.id)
	shop_count: COUNT(shops.shop)
	above: SUM(CASE WHEN entries.n > 5 THEN entries.n END) {"derive":{"type":"filter","base":"total","where":"n > :least"},"params":[{"name":"least","type":"int","default":5,"min":-10,"max":10}]}
	above_in: SUM(entries.n) {"derive":{"type":"filter","base":"above","where":"kind = :kind"},"params":[{"name":"kind","type":"string","allowed":["a","b","a b","a-b"]}]}
	per_shop: total / shop_count
	share: above / total
	filled: COALESCE(above, 1) / COALESCE(total, 1) {"derive":{"type":"compose","expr":"above / total","fill":1}}
	scaled: SUM(entries.n) * 2 {"derive":{"type":"compose","expr":"total * :by"},"params":[{"name":"by","type":"float","default":2,"min":0,"max":9}]}
	none_is_zero: SUM(entries.n) {"fill_nulls_with":0}
	of_filled: none_is_zero + shop_count`

func ledgerWorld(t *testing.T) world {
	return given(t, ledger, map[string]string{
		"entries": "id shop kind n\n1 1 a 4\n2 1 b 6\n3 2 a 8\n4 ∅ b 10\n5 9 a ∅",
		"shops":   "shop town\n1 Ulm\n2 Ulm\n3 Rom",
	})
}

func TestDerive_FilterFoldsIntoAggregate(t *testing.T) {
	w := ledgerWorld(t)
	// The group of kind b keeps its row where only kind a is counted.
	w.answers(t, `{"metrics":["above","above_in","total"],"group_by":[{"field":"entries.kind"}],"params":{"kind":"a"}}`, `
		kind | above | above_in | total
		a | 8 | 8 | 12
		b | 16 | ∅ | 16`)
	w.refuses(t, `{"metrics":["above_in"]}`, "param_out_of_domain")
	w.refuses(t, `{"metrics":["above_in"],"params":{"kind":"c"}}`, "param_out_of_domain")
}

func TestDerive_ComposeUsesMemberValues(t *testing.T) {
	w := ledgerWorld(t)
	w.answers(t, `{"metrics":["per_shop","share","filled","scaled"]}`, "per_shop | share | filled | scaled\n9.333333333 | 0.8571428571 | 0.8571428571 | 56")
	w.answers(t, `{"metrics":["share","filled","per_shop","of_filled"],"group_by":[{"field":"shops.town"}]}`, `
		town | share | filled | per_shop | of_filled
		Rom | ∅ | 1 | ∅ | 1
		Ulm | 0.7777777778 | 0.7777777778 | 9 | 20
		∅ | 1 | 1 | ∅ | 10`)
	w.refuses(t, `{"metrics":["per_shop"],"group_by":[{"field":"entries.kind"}]}`, "fan_out_risk", "unconformed_dimension")
}

func TestParams_ListsMultiplyInDeclaredOrder(t *testing.T) {
	w := ledgerWorld(t)
	w.answers(t, `{"metrics":["above_in","total"],"params":{"least":[-2,5.0],"kind":["b","a"]}}`, `
		above_in__b__neg2 | above_in__b__5 | above_in__a__neg2 | above_in__a__5 | total
		16 | 16 | 12 | 8 | 28`)
	w.answers(t, `{"metrics":["scaled"],"params":{"by":[0.50,2.0]}}`, "scaled__0_5 | scaled__2\n14 | 56")
	// The hashes are those of the texts "a b" and "a-b".
	w.answers(t, `{"metrics":["above_in"],"params":{"kind":["a b","a-b"]}}`, "above_in__a_b_hc8687a08 | above_in__a_b_hd44362d6\n∅ | ∅")
	w.refuses(t, `{"metrics":["above"],"params":{"least":[5,5.0]}}`, "param_out_of_domain")
	w.refuses(t, `{"metrics":["above"],"params":{"least":[]}}`, "param_out_of_domain")
	w.refuses(t, `{"metrics":["above"],"params":{"least":1.5}}`, "param_out_of_domain")
	w.refuses(t, `{"metrics":["above"],"params":{"least":11}}`, "param_out_of_domain")
}

// Customer 1 has the value 30, 2 none at all, 3 five; the order of 9 has no customer.
const worth = `
	orders(id! Integer, customer Integer, open Boolean, n Integer)
	customers(customer! Integer, town String, worth=SUM(orders.n) Integer {"lod":{"grain":["customer"]}}, busy=COUNT(orders.id) Integer {"lod":{"grain":["customer"]}}, big=COUNT(orders.id) Integer {"lod":{"grain":["customer"],"where":"orders.n >= :least"},"params":[{"name":"least","type":"int","default":10,"min":0,"max":99}]}, of_town=SUM(orders.n) Integer {"lod":{"grain":["town"]}})
	orders.customer -> customers.customer
	customer_count: COUNT(customers.customer)
	revenue: SUM(orders.n)
	mean_worth: AVG(customers.worth)
	big_orders: SUM(customers.big)`

func worthWorld(t *testing.T) world {
	return given(t, worth, map[string]string{
		"orders":    "id customer n\n1 1 10\n2 1 20\n3 3 5\n4 9 7\n5 ∅ 3",
		"customers": "customer town\n1 Ulm\n2 Ulm\n3 ∅",
	})
}

func TestLOD_IsFieldOfItsDataset(t *testing.T) {
	w := worthWorld(t)
	w.answers(t, `{"metrics":["customer_count","revenue"],"group_by":[{"field":"customers.worth"},{"field":"customers.busy"},{"field":"customers.of_town"}]}`, `
		worth | busy | of_town | customer_count | revenue
		5 | 1 | 5 | 1 | 5
		30 | 2 | 30 | 1 | 30
		∅ | 0 | 30 | 1 | ∅
		∅ | ∅ | ∅ | 0 | 10`)
	w.answers(t, `{"metrics":["mean_worth","big_orders"]}`, "mean_worth | big_orders\n17.5 | 2")
	w.answers(t, `{"metrics":["big_orders"],"params":{"least":[5,15]}}`, "big_orders__5 | big_orders__15\n3 | 1")
	w.answers(t, `{"metrics":["customer_count"],"where_sql":"customers.worth > 5"}`, "customer_count\n1")
}

func TestLOD_OnlyContextFilterApplies(t *testing.T) {
	t.Run("only context_filter applies inside a level of detail, where_sql does not", func(t *testing.T) {
		w := worthWorld(t)
		w.answers(t, `{"metrics":["mean_worth"],"where_sql":"customers.town = 'Ulm'"}`, "mean_worth\n30")
		w.answers(t, `{"metrics":["mean_worth"],"context_filter":"orders.n < 20"}`, "mean_worth\n7.5")
		w.answers(t, `{"metrics":["revenue"],"group_by":[{"field":"customers.worth"}],"context_filter":"orders.n < 20","where_sql":"orders.n > 4"}`, `
		worth | revenue
		5 | 5
		10 | 10
		∅ | 7`)
		w.refuses(t, `{"metrics":["revenue"],"group_by":[{"field":"customers.town"}],"where_sql":"revenue > 1 OR customers.worth > 1"}`, "not_implemented")
	})
}
