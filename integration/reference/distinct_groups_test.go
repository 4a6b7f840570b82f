package reference_test

import "testing"

func TestDistinct_ListsTheGroupsOfOneRoot(t *testing.T) {
	w := saleWorld(t)
	w.answers(t, `{"distinct":true,"group_by":[{"field":"kind"}],"order_by":[{"key":"kind"}]}`, "kind\njam\nrye\ntea")
	w.answers(t, `{"distinct":true,"group_by":[{"field":"shop"},{"field":"day","grain":"quarter"}],"time_range":{"start":"2024-01-10"},"limit":3,"offset":1}`, `
		shop | day__quarter
		A | 2024-04-01
		B | 2024-01-01
		∅ | 2024-04-01`)
	// The name of a group stands for its expression, in a condition on the rows.
	w.answers(t, `{"distinct":true,"group_by":[{"name":"large","expression":"amount >= 20"}],"where_sql":"large AND kind = 'tea'"}`, "large\ntrue")
	w.refuses(t, `{"distinct":true}`, "empty_query")
	w.refuses(t, `{"distinct":true,"metrics":["n"],"group_by":[{"field":"kind"}]}`, "conflicting_keys")
	w.refuses(t, `{"distinct":true,"group_by":[{"field":"kind"}],"totals":[[]]}`, "conflicting_keys")
	w.refuses(t, `{"metrics":["n"],"from":"sale"}`, "conflicting_keys")
	w.refuses(t, `{"distinct":true,"group_by":[{"field":"metric_time","grain":"month"}]}`, "unknown_dimension")
	w.refuses(t, `{"distinct":true,"group_by":[{"field":"kind"}],"params":{"p":1}}`, "unknown_metric_param")
}

func TestDistinct_FindsTheRoot(t *testing.T) {
	w := tradeWorld(t)
	// Customers alone: no orphan is listed.
	w.answers(t, `{"distinct":true,"group_by":[{"field":"region"}],"order_by":[{"key":"region"}]}`, "region\nnorth\nsouth\n∅")
	// Sales reach customers, whose values without a sale are not listed.
	w.answers(t, `{"distinct":true,"group_by":[{"field":"customers.fee"}],"where_sql":"sales.amount > 4","limit":9}`, "fee\n100\n200\n∅")
	w.answers(t, `{"distinct":true,"group_by":[{"field":"fee"}],"from":"refunds","limit":9}`, "fee\n100\n300")
	// The path leaves the sales, although its field is one of customers.
	w.answers(t, `{"distinct":true,"group_by":[{"field":"customer_customers.region"}],"from":"sales","limit":9}`, "customer_customers__region\nnorth\nsouth\n∅")
	w.refuses(t, `{"distinct":true,"group_by":[{"field":"refunds.amount"},{"field":"sales.id"}]}`, "no_join_path")
	w.refuses(t, `{"distinct":true,"group_by":[{"field":"sales.amount"}],"from":"customers"}`, "no_join_path")
	w.refuses(t, `{"distinct":true,"group_by":[{"field":"region"}],"from":"shops"}`, "unknown_dataset")
}

// Pairs lead from one kind to another, so that two datasets meet in what leads to both.
func TestDistinct_FindsARootOutside(t *testing.T) {
	two := `
		links(id! Integer, a Integer, b Integer)
		as(a! Integer, x String)
		bs(b! Integer, y String)
		links.a -> as.a
		links.b -> bs.b
		links_count: COUNT(links.id)`
	tables := map[string]string{"links": "id a b\n1 1 1\n2 1 1\n3 2 ∅", "as": "a x\n1 p\n2 q\n3 r", "bs": "b y\n1 u\n2 v"}
	given(t, two, tables).answers(t, `{"distinct":true,"group_by":[{"field":"x"},{"field":"y"}],"limit":9}`, "x | y\np | u\nq | ∅")
	tables["more"] = "id a b\n1 3 2"
	given(t, two+`
		more(id! Integer, a Integer, b Integer)
		more.a -> as.a
		more.b -> bs.b`, tables).refuses(t, `{"distinct":true,"group_by":[{"field":"x"},{"field":"y"}]}`, "ambiguous_join_path")
}
