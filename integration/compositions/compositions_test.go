package compositions

import "github.com/semlayer/semlayer/planner/compose"

// composition is a SELECT by hand over tables with the rows of the parts, and how it is composed.
type composition struct {
	name, sql string
	ordered   bool
	build     func(from func(string) relation) relation
}

// projections select, filter, order and limit rows.
func projections() []composition {
	return []composition{
		{"arithmetic over columns", `SELECT region, revenue * 2 + 1 AS x FROM by_region`, false, func(from func(string) relation) relation {
			return from("by_region").items("region", "x := revenue * 2 + 1").done()
		}},
		{"division is real and null over zero", `SELECT region, category, revenue::DOUBLE / NULLIF(per_piece, 0) AS x, 1 / NULLIF(revenue, 0)::DOUBLE AS y FROM by_category`, false,
			func(from func(string) relation) relation {
				return from("by_category").items("region", "category", "x := revenue / per_piece", "y := 1 / revenue").done()
			}},
		{"integers divide as doubles", `SELECT region, sales_count::DOUBLE / 4 AS x FROM by_region`, false, func(from func(string) relation) relation {
			return from("by_region").items("region", "x := sales_count / 4").done()
		}},
		{"a case and functions of text", `SELECT COALESCE(UPPER(region), '-') AS r, CASE WHEN revenue > 100 THEN 'large' WHEN revenue > 0 THEN 'small' END AS size FROM by_region`, false,
			func(from func(string) relation) relation {
				return from("by_region").items("r := COALESCE(UPPER(region), '-')", "size := CASE WHEN revenue > 100 THEN 'large' WHEN revenue > 0 THEN 'small' END").done()
			}},
		{"a filter drops unknown conditions", `SELECT region, revenue FROM by_region WHERE NOT (region = 'east')`, false, func(from func(string) relation) relation {
			return from("by_region").items("region", "revenue").where("NOT (region = 'east')").done()
		}},
		{"a filter over a computed column", `SELECT region, x FROM (SELECT region, revenue / 10 AS x FROM by_region) AS t WHERE x >= 7 AND x < 25`, false, func(from func(string) relation) relation {
			return from("by_region").items("region", "x := revenue / 10").done().items("region", "x").where("x >= 7 AND x < 25").done()
		}},
		{"nulls are last in both directions", `SELECT region, revenue FROM by_region ORDER BY region DESC NULLS LAST`, true, func(from func(string) relation) relation {
			return from("by_region").items("region", "revenue").order("region DESC").done()
		}},
		{"nulls first, ascending", `SELECT category FROM groups ORDER BY category NULLS FIRST`, true, func(from func(string) relation) relation {
			return from("groups").items("category").order("category NULLS FIRST").done()
		}},
		{"nulls first, descending", `SELECT category FROM groups ORDER BY category DESC NULLS FIRST`, true, func(from func(string) relation) relation {
			return from("groups").items("category").order("category DESC NULLS FIRST").done()
		}},
		{"order by a column that is not shown", `SELECT region FROM by_region ORDER BY revenue DESC NULLS LAST, region NULLS LAST`, true, func(from func(string) relation) relation {
			return from("by_region").items("region").order("(revenue) DESC", "region").done()
		}},
		{"order by an expression that is not shown, limited", `SELECT region FROM by_region ORDER BY revenue / sales_count DESC NULLS LAST, region NULLS LAST LIMIT 2`, true,
			func(from func(string) relation) relation {
				return from("by_region").items("region").order("(revenue / sales_count) DESC", "region").limit(2, 0).done()
			}},
		{"ties of a limit follow the columns", `SELECT region, category FROM sold ORDER BY region NULLS LAST, category NULLS LAST LIMIT 4 OFFSET 2`, true, func(from func(string) relation) relation {
			return from("sold").items("region", "category").limit(4, 2).done()
		}},
		{"an offset beyond the rows", `SELECT region FROM by_region WHERE FALSE`, true, func(from func(string) relation) relation {
			return from("by_region").items("region").order("region").limit(5, 50).done()
		}},
		{"a limit of no rows", `SELECT region FROM by_region WHERE FALSE`, true, func(from func(string) relation) relation {
			return from("by_region").items("region").limit(0, 0).done()
		}},
		{"a limit inside of a limit", `SELECT region FROM (SELECT region, revenue FROM by_region ORDER BY revenue DESC NULLS LAST, region NULLS LAST LIMIT 3) AS t ORDER BY region NULLS LAST LIMIT 2`, true,
			func(from func(string) relation) relation {
				return from("by_region").items("region", "revenue").order("revenue DESC").limit(3, 0).done().items("region").order("region").limit(2, 0).done()
			}},
		{"distinct rows with nulls", `SELECT DISTINCT region, category FROM sold`, false, func(from func(string) relation) relation {
			return from("sold").items("region", "category").distinct().done()
		}},
		{"distinct, ordered and limited", `SELECT DISTINCT category FROM sold ORDER BY category DESC NULLS LAST LIMIT 2`, true, func(from func(string) relation) relation {
			return from("sold").items("category").distinct().order("category DESC").limit(2, 0).done()
		}},
		{"distinct over an expression", `SELECT DISTINCT revenue >= 100 AS large FROM by_region`, false, func(from func(string) relation) relation {
			return from("by_region").items("large := revenue >= 100").distinct().done()
		}},
		{"dates compare with text", `SELECT month, revenue FROM by_month WHERE month >= DATE '2024-03-01'`, false, func(from func(string) relation) relation {
			return from("by_month").items("month", "revenue").where("month >= '2024-03-01'").done()
		}},
		{"moments of one day are one row of a declared Date", `SELECT DISTINCT CAST(day AS DATE) AS day FROM visited`, false, func(from func(string) relation) relation {
			return from("visited").items("day").distinct().done()
		}},
		{"moments of a declared Date join days", `SELECT b.day, b.visit_count FROM visited AS a JOIN by_day AS b ON CAST(a.day AS DATE) = b.day`, false, func(from func(string) relation) relation {
			return from("visited").as("a").join(compose.InnerJoin, from("by_day").as("b"), "a.day = b.day").items("b.day", "b.visit_count").done()
		}},
		{"two columns of one name", `SELECT region AS x, revenue AS x_2 FROM by_region`, false, func(from func(string) relation) relation {
			return from("by_region").items("x := region", "x := revenue").done()
		}},
	}
}

// groupings aggregate rows.
func groupings() []composition {
	return []composition{
		{"all aggregates without groups", `SELECT COUNT(*) AS n, COUNT(region) AS r, COUNT(DISTINCT revenue) AS d, SUM(revenue) AS s, AVG(revenue) AS a, MIN(revenue) AS lo, MAX(revenue) AS hi FROM by_region`, false,
			func(from func(string) relation) relation {
				return from("by_region").items("n := COUNT(*)", "r := COUNT(region)", "d := COUNT(DISTINCT revenue)", "s := SUM(revenue)", "a := AVG(revenue)", "lo := MIN(revenue)", "hi := MAX(revenue)").done()
			}},
		{"aggregates over no rows", `SELECT COUNT(*) AS n, SUM(revenue) AS s, AVG(revenue) AS a, MAX(region) AS hi FROM nothing`, false, func(from func(string) relation) relation {
			return from("nothing").items("n := COUNT(*)", "s := SUM(revenue)", "a := AVG(revenue)", "hi := MAX(region)").done()
		}},
		{"groups over no rows", `SELECT region, SUM(revenue) AS s FROM nothing GROUP BY region`, false, func(from func(string) relation) relation {
			return from("nothing").items("region", "s := SUM(revenue)").group("region").done()
		}},
		{"the average of a total is that of its rows", `SELECT AVG(average) AS a FROM by_region`, false, func(from func(string) relation) relation {
			return from("by_region").items("a := AVG(average)").done()
		}},
		{"a null is a group", `SELECT category, SUM(revenue) AS s, COUNT(*) AS n FROM by_category GROUP BY category`, false, func(from func(string) relation) relation {
			return from("by_category").items("category", "s := SUM(revenue)", "n := COUNT(*)").group("category").done()
		}},
		{"a group that is not shown", `SELECT SUM(revenue) AS s FROM by_category GROUP BY category`, false, func(from func(string) relation) relation {
			return from("by_category").items("s := SUM(revenue)").group("category").done()
		}},
		{"a group by an expression, read in a larger one", `SELECT (revenue > 90) AS large, CASE WHEN revenue > 90 THEN 1 ELSE 0 END AS x, COUNT(*) AS n FROM by_region GROUP BY revenue > 90`, false,
			func(from func(string) relation) relation {
				return from("by_region").items("large := revenue > 90", "x := CASE WHEN revenue > 90 THEN 1 ELSE 0 END", "n := COUNT(*)").group("revenue > 90").done()
			}},
		{"a constant for one group that is not shown", `SELECT 'all' AS name FROM (SELECT SUM(revenue) AS s FROM by_region) AS t`, false, func(from func(string) relation) relation {
			return from("by_region").items("s := SUM(revenue)").done().items("name := 'all'").done()
		}},
		{"a constant group", `SELECT 'all' AS name, COUNT(*) AS n FROM by_region GROUP BY 1`, false, func(from func(string) relation) relation {
			return from("by_region").items("name := 'all'", "n := COUNT(*)").group("'all'").done()
		}},
		{"a constant group over no rows", `SELECT COUNT(*) AS n FROM nothing GROUP BY 'all'`, false, func(from func(string) relation) relation {
			return from("nothing").items("n := COUNT(*)").group("'all'").done()
		}},
		{"filters of aggregates", `SELECT COUNT(*) FILTER (WHERE revenue > 100) AS n, SUM(revenue) FILTER (WHERE region IS NULL) AS s, COUNT(DISTINCT category) FILTER (WHERE revenue >= 50) AS d FROM by_category`, false,
			func(from func(string) relation) relation {
				return from("by_category").items("n := COUNT(*) FILTER (WHERE revenue > 100)", "s := SUM(revenue) FILTER (WHERE region IS NULL)", "d := COUNT(DISTINCT category) FILTER (WHERE revenue >= 50)").done()
			}},
		{"several sets of groups", `SELECT region, category, SUM(revenue) AS s, GROUPING(region, category) AS g FROM by_category GROUP BY ROLLUP (region, category)`, false, func(from func(string) relation) relation {
			return from("by_category").items("region", "category", "s := SUM(revenue)").group("region", "category").sets([]int{0, 1}, []int{0}, nil).grouping("g", 0, 1).done()
		}},
		{"sets without the one of all groups, of which two are equal", `SELECT region, category, COUNT(*) AS n FROM by_category GROUP BY GROUPING SETS ((region), (category), (region)) HAVING SUM(revenue) > 50`, false,
			func(from func(string) relation) relation {
				return from("by_category").items("region", "category", "n := COUNT(*)").group("region", "category").sets([]int{0}, []int{1}, []int{0}).having("SUM(revenue) > 50").done()
			}},
		{"sets over no rows", `SELECT region, COUNT(*) AS n FROM nothing GROUP BY ROLLUP (region)`, false, func(from func(string) relation) relation {
			return from("nothing").items("region", "n := COUNT(*)").group("region").sets([]int{0}, nil).done()
		}},
		{"a median of a result", `SELECT category, MEDIAN(revenue) AS m FROM by_category GROUP BY category`, false, func(from func(string) relation) relation {
			return from("by_category").items("category", "m := MEDIAN(revenue)").group("category").done()
		}},
		{"having over an aggregate that is not shown", `SELECT category FROM by_category GROUP BY category HAVING SUM(revenue) > 100 AND COUNT(*) > 1`, false, func(from func(string) relation) relation {
			return from("by_category").items("category").group("category").having("SUM(revenue) > 100 AND COUNT(*) > 1").done()
		}},
		{"having without groups", `SELECT SUM(revenue) AS s FROM by_region HAVING COUNT(*) > 100`, false, func(from func(string) relation) relation {
			return from("by_region").items("s := SUM(revenue)").having("COUNT(*) > 100").done()
		}},
		{"order by an aggregate that is not shown", `SELECT category FROM by_category GROUP BY category ORDER BY SUM(revenue) DESC NULLS LAST LIMIT 2`, true, func(from func(string) relation) relation {
			return from("by_category").items("category").group("category").order("(SUM(revenue)) DESC").limit(2, 0).done()
		}},
		{"groups of groups", `SELECT n, COUNT(*) AS regions FROM (SELECT region, COUNT(*) AS n FROM sold GROUP BY region) AS t GROUP BY n ORDER BY n`, true, func(from func(string) relation) relation {
			return from("sold").items("region", "n := COUNT(*)").group("region").done().items("n", "regions := COUNT(*)").group("n").order("n").done()
		}},
		{"aggregates over a limited part", `SELECT SUM(revenue) AS s, COUNT(*) AS n FROM (SELECT revenue FROM by_region ORDER BY revenue DESC NULLS LAST LIMIT 2) AS t`, false, func(from func(string) relation) relation {
			return from("by_region").items("revenue").order("revenue DESC").limit(2, 0).done().items("s := SUM(revenue)", "n := COUNT(*)").done()
		}},
		{"a group with a distinct over it", `SELECT DISTINCT COUNT(*) AS n FROM sold GROUP BY region`, false, func(from func(string) relation) relation {
			return from("sold").items("n := COUNT(*)").group("region").distinct().done()
		}},
	}
}

// joins put relations side by side.
func joins() []composition {
	return []composition{
		{"an inner join drops nulls", `SELECT a.region, a.revenue, b.manager FROM by_region AS a JOIN managers AS b ON a.region = b.region`, false, func(from func(string) relation) relation {
			return from("by_region").as("a").join(compose.InnerJoin, from("managers").as("b"), "a.region = b.region").items("a.region", "a.revenue", "b.manager").done()
		}},
		{"a left join keeps rows", `SELECT a.region, b.manager FROM by_region AS a LEFT JOIN managers AS b ON a.region = b.region`, false, func(from func(string) relation) relation {
			return from("by_region").as("a").join(compose.LeftJoin, from("managers").as("b"), "a.region = b.region").items("a.region", "b.manager").done()
		}},
		{"a left join, then a filter on its right side", `SELECT a.region FROM by_region AS a LEFT JOIN managers AS b ON a.region = b.region WHERE b.manager IS NULL`, false, func(from func(string) relation) relation {
			return from("by_region").as("a").join(compose.LeftJoin, from("managers").as("b"), "a.region = b.region").items("a.region").where("b.manager IS NULL").done()
		}},
		{"a part joined to itself", `SELECT a.region, b.region AS other FROM by_region AS a JOIN by_region AS b ON a.revenue = b.revenue AND a.sales_count = b.sales_count`, false, func(from func(string) relation) relation {
			return from("by_region").as("a").join(compose.InnerJoin, from("by_region").as("b"), "a.revenue = b.revenue", "a.sales_count = b.sales_count").items("a.region", "other := b.region").done()
		}},
		{"a join repeats rows", `SELECT a.region, SUM(a.revenue) AS s FROM by_region AS a JOIN by_category AS b ON a.region = b.region GROUP BY a.region`, false, func(from func(string) relation) relation {
			return from("by_region").as("a").join(compose.InnerJoin, from("by_category").as("b"), "a.region = b.region").items("a.region", "s := SUM(a.revenue)").group("a.region").done()
		}},
		{"three relations", `SELECT a.region, b.category, c.manager FROM by_region AS a JOIN by_category AS b ON a.region = b.region LEFT JOIN managers AS c ON b.region = c.region`, false, func(from func(string) relation) relation {
			return from("by_region").as("a").join(compose.InnerJoin, from("by_category").as("b"), "a.region = b.region").join(compose.LeftJoin, from("managers").as("c"), "b.region = c.region").
				items("a.region", "b.category", "c.manager").done()
		}},
		{"a cross join with a total", `SELECT a.region, a.revenue / NULLIF(t.revenue, 0)::DOUBLE AS share FROM by_region AS a CROSS JOIN total AS t`, false, func(from func(string) relation) relation {
			return from("by_region").as("a").join(compose.CrossJoin, from("total").as("t")).items("a.region", "share := a.revenue / t.revenue").done()
		}},
		{"a cross join with no rows", `SELECT a.region FROM by_region AS a CROSS JOIN nothing AS t`, false, func(from func(string) relation) relation {
			return from("by_region").as("a").join(compose.CrossJoin, from("nothing").as("t")).items("a.region").done()
		}},
		{"a join on an expression", `SELECT a.region, b.category FROM by_region AS a JOIN by_category AS b ON LOWER(a.region) = b.region AND a.sales_count = b.revenue / 50`, false, func(from func(string) relation) relation {
			return from("by_region").as("a").join(compose.InnerJoin, from("by_category").as("b"), "LOWER(a.region) = b.region", "a.sales_count = b.revenue / 50").items("a.region", "b.category").done()
		}},
		{"a join with limited rows", `SELECT b.region, b.category FROM (SELECT region FROM by_region ORDER BY revenue DESC NULLS LAST, region NULLS LAST LIMIT 2) AS a JOIN by_category AS b ON a.region = b.region`, false,
			func(from func(string) relation) relation {
				top := from("by_region").items("region").order("(revenue) DESC", "region").limit(2, 0).done()
				return top.as("a").join(compose.InnerJoin, from("by_category").as("b"), "a.region = b.region").items("b.region", "b.category").done()
			}},
	}
}

// sets are set operations.
func sets() []composition {
	side := func(from func(string) relation, part string) relation { return from(part).items("region").done() }
	return []composition{
		{"union", `SELECT region FROM by_category UNION SELECT region FROM managers`, false, func(from func(string) relation) relation {
			return side(from, "by_category").combine(compose.Union, side(from, "managers"))
		}},
		{"union all", `SELECT region FROM by_category UNION ALL SELECT region FROM managers`, false, func(from func(string) relation) relation {
			return side(from, "by_category").combine(compose.UnionAll, side(from, "managers"))
		}},
		{"intersect finds nulls", `SELECT region FROM by_category INTERSECT SELECT region FROM by_region WHERE revenue < 100`, false, func(from func(string) relation) relation {
			return side(from, "by_category").combine(compose.Intersect, from("by_region").items("region").where("revenue < 100").done())
		}},
		{"except takes nulls away", `SELECT region FROM by_category EXCEPT SELECT region FROM by_region WHERE revenue < 100`, false, func(from func(string) relation) relation {
			return side(from, "by_category").combine(compose.Except, from("by_region").items("region").where("revenue < 100").done())
		}},
		{"except of nothing", `SELECT region, revenue FROM by_category EXCEPT SELECT region, revenue FROM nothing`, false, func(from func(string) relation) relation {
			return from("by_category").items("region", "revenue").done().combine(compose.Except, from("nothing").items("region", "revenue").done())
		}},
		{"numbers of two types meet", `SELECT region, revenue AS x FROM by_region UNION ALL SELECT region, average FROM by_region UNION ALL SELECT NULL, 0.5`, false, func(from func(string) relation) relation {
			both := from("by_region").items("region", "x := revenue").done().combine(compose.UnionAll, from("by_region").items("region", "average").done())
			return both.combine(compose.UnionAll, from("total").items("region := NULL", "x := 0.5").done())
		}},
		{"days and points in time meet", `SELECT month FROM by_month WHERE revenue > 200 UNION SELECT TIMESTAMP '2024-02-01 00:00:00'`, false, func(from func(string) relation) relation {
			return from("by_month").items("month").where("revenue > 200").done().combine(compose.Union, from("total").items("t := TIMESTAMP '2024-02-01 00:00:00'").done())
		}},
		{"a union that is grouped, ordered and limited", `SELECT region, SUM(x) AS s FROM (SELECT region, revenue AS x FROM by_region UNION ALL SELECT region, revenue FROM by_category) AS u GROUP BY region ORDER BY s DESC NULLS LAST, region NULLS LAST LIMIT 3`, true,
			func(from func(string) relation) relation {
				u := from("by_region").items("region", "x := revenue").done().combine(compose.UnionAll, from("by_category").items("region", "revenue").done())
				return u.items("region", "s := SUM(x)").group("region").order("s DESC", "region").limit(3, 0).done()
			}},
		{"limited sides", `(SELECT region FROM by_region ORDER BY revenue DESC NULLS LAST, region NULLS LAST LIMIT 1) UNION ALL (SELECT region FROM by_region ORDER BY revenue NULLS LAST, region NULLS LAST LIMIT 1)`, false,
			func(from func(string) relation) relation {
				largest := from("by_region").items("region").order("(revenue) DESC", "region").limit(1, 0).done()
				return largest.combine(compose.UnionAll, from("by_region").items("region").order("(revenue)", "region").limit(1, 0).done())
			}},
	}
}

// subqueries are in conditions and beside items.
func subqueries() []composition {
	return []composition{
		{"in the rows of a subquery", `SELECT region, category FROM by_category WHERE region IN (SELECT region FROM by_region WHERE revenue >= 250)`, false, func(from func(string) relation) relation {
			return from("by_category").items("region", "category").in("region", false, from("by_region").items("region").where("revenue >= 250").done()).done()
		}},
		{"not in rows without a null", `SELECT region, category FROM by_category WHERE region NOT IN (SELECT region FROM managers)`, false, func(from func(string) relation) relation {
			return from("by_category").items("region", "category").in("region", true, from("managers").items("region").done()).done()
		}},
		{"not in rows with a null is nothing", `SELECT region FROM managers WHERE region NOT IN (SELECT region FROM by_region)`, false, func(from func(string) relation) relation {
			return from("managers").items("region").in("region", true, from("by_region").items("region").done()).done()
		}},
		{"not in no rows is everything, nulls too", `SELECT region FROM by_region WHERE region NOT IN (SELECT region FROM nothing)`, false, func(from func(string) relation) relation {
			return from("by_region").items("region").in("region", true, from("nothing").items("region").done()).done()
		}},
		{"in a limited subquery", `SELECT region, category FROM by_category WHERE region IN (SELECT region FROM by_region ORDER BY sales_count DESC NULLS LAST, region NULLS LAST LIMIT 1)`, false,
			func(from func(string) relation) relation {
				top := from("by_region").items("region").order("(sales_count) DESC", "region").limit(1, 0).done()
				return from("by_category").items("region", "category").in("region", false, top).done()
			}},
		{"groups in the rows of a subquery", `SELECT category, SUM(revenue) AS s FROM by_category GROUP BY category HAVING SUM(revenue) IN (SELECT revenue FROM by_region UNION ALL SELECT revenue FROM by_category)`, false,
			func(from func(string) relation) relation {
				all := from("by_region").items("revenue").done().combine(compose.UnionAll, from("by_category").items("revenue").done())
				return from("by_category").items("category", "s := SUM(revenue)").group("category").havingIn("SUM(revenue)", false, all).done()
			}},
		{"a scalar subquery beside items", `SELECT region, revenue / NULLIF((SELECT SUM(revenue) FROM by_region), 0)::DOUBLE AS share FROM by_region`, false, func(from func(string) relation) relation {
			total := from("by_region").items("s := SUM(revenue)").done()
			return from("by_region").scalar(total).selecting("region", "share := revenue / scalar_1").done()
		}},
		{"a scalar subquery in a condition", `SELECT region FROM by_region WHERE revenue > (SELECT AVG(revenue) FROM by_region)`, false, func(from func(string) relation) relation {
			return from("by_region").items("region").scalar(from("by_region").items("a := AVG(revenue)").done()).where("revenue > scalar_1").done()
		}},
		{"a scalar subquery behind groups without rows", `SELECT COUNT(*) + (SELECT MAX(revenue) FROM by_region) AS x FROM nothing`, false, func(from func(string) relation) relation {
			return from("nothing").scalar(from("by_region").items("m := MAX(revenue)").done()).selecting("x := COUNT(*) + scalar_1").done()
		}},
		{"a scalar subquery inside of an aggregate and beside it", `SELECT category, SUM(revenue - (SELECT MIN(revenue) FROM by_region)) AS s, (SELECT MIN(revenue) FROM by_region) AS lo FROM by_category GROUP BY category`, false,
			func(from func(string) relation) relation {
				low := from("by_region").items("m := MIN(revenue)").done()
				return from("by_category").scalar(low).selecting("category", "s := SUM(revenue - scalar_1)", "lo := scalar_1").group("category").done()
			}},
		{"a scalar subquery without a row is null", `SELECT region, (SELECT SUM(revenue) FROM by_region HAVING COUNT(*) > 99) AS x FROM by_region`, false, func(from func(string) relation) relation {
			none := from("by_region").items("s := SUM(revenue)").having("COUNT(*) > 99").done()
			return from("by_region").scalar(none).selecting("region", "x := scalar_1").done()
		}},
		{"two scalar subqueries", `SELECT (SELECT MAX(revenue) FROM by_region) - (SELECT revenue FROM total) AS x FROM managers`, false, func(from func(string) relation) relation {
			return from("managers").scalar(from("by_region").items("m := MAX(revenue)").done()).scalar(from("total").items("revenue").done()).selecting("x := scalar_1 - scalar_2").done()
		}},
	}
}

// windows are window functions over rows.
func windows() []composition {
	return []composition{
		{"ranks with ties and nulls", `SELECT region, RANK() OVER (ORDER BY revenue DESC NULLS LAST) AS r, DENSE_RANK() OVER (ORDER BY sales_count NULLS LAST) AS d, ROW_NUMBER() OVER (ORDER BY region NULLS LAST) AS n FROM by_region`, false,
			func(from func(string) relation) relation {
				return from("by_region").items("region", "r := RANK() OVER (ORDER BY revenue DESC)", "d := DENSE_RANK() OVER (ORDER BY sales_count)", "n := ROW_NUMBER() OVER (ORDER BY region)").done()
			}},
		{"a share of a partition", `SELECT region, category, revenue / NULLIF(SUM(revenue) OVER (PARTITION BY region), 0)::DOUBLE AS share FROM by_category`, false, func(from func(string) relation) relation {
			return from("by_category").items("region", "category", "share := revenue / SUM(revenue) OVER (PARTITION BY region)").done()
		}},
		{"the default frame holds peers", `SELECT category, amount, SUM(amount) OVER (ORDER BY amount NULLS LAST) AS running, COUNT(*) OVER (ORDER BY amount NULLS LAST) AS n FROM sold`, false, func(from func(string) relation) relation {
			return from("sold").items("category", "amount", "running := SUM(amount) OVER (ORDER BY amount)", "n := COUNT(*) OVER (ORDER BY amount)").done()
		}},
		{"a frame of rows", `SELECT month, AVG(revenue) OVER (ORDER BY month ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS a, MIN(revenue) OVER (ORDER BY month ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING) AS lo FROM by_month`, false,
			func(from func(string) relation) relation {
				return from("by_month").items("month", "a := AVG(revenue) OVER (ORDER BY month ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)", "lo := MIN(revenue) OVER (ORDER BY month ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING)").done()
			}},
		{"a window over groups", `SELECT category, SUM(revenue) AS s, SUM(SUM(revenue)) OVER () AS total FROM by_category GROUP BY category`, false, func(from func(string) relation) relation {
			return from("by_category").items("category", "s := SUM(revenue)", "total := SUM(SUM(revenue)) OVER ()").group("category").done()
		}},
		{"a filter on a rank", `SELECT region, category FROM (SELECT region, category, ROW_NUMBER() OVER (PARTITION BY region ORDER BY revenue DESC NULLS LAST, category NULLS LAST) AS n FROM by_category) AS t WHERE n = 1`, false,
			func(from func(string) relation) relation {
				return from("by_category").items("region", "category", "n := ROW_NUMBER() OVER (PARTITION BY region ORDER BY revenue DESC, category)").done().items("region", "category").where("n = 1").done()
			}},
		{"order by a window", `SELECT region FROM by_region ORDER BY RANK() OVER (ORDER BY revenue DESC NULLS LAST), region NULLS LAST LIMIT 3`, true, func(from func(string) relation) relation {
			return from("by_region").items("region").order("(RANK() OVER (ORDER BY revenue DESC))", "region").limit(3, 0).done()
		}},
		{"windows over no rows", `SELECT region, RANK() OVER (ORDER BY revenue) AS r FROM nothing`, false, func(from func(string) relation) relation {
			return from("nothing").items("region", "r := RANK() OVER (ORDER BY revenue)").done()
		}},
		{"a distinct over a window", `SELECT DISTINCT COUNT(*) OVER (PARTITION BY category) AS n FROM sold`, false, func(from func(string) relation) relation {
			return from("sold").items("n := COUNT(*) OVER (PARTITION BY category)").distinct().done()
		}},
		{"three windows of different partitions", `SELECT region, SUM(revenue) OVER (PARTITION BY region) AS a, SUM(revenue) OVER (PARTITION BY category) AS b, SUM(revenue) OVER () AS c FROM by_category`, false, func(from func(string) relation) relation {
			return from("by_category").items("region", "a := SUM(revenue) OVER (PARTITION BY region)", "b := SUM(revenue) OVER (PARTITION BY category)", "c := SUM(revenue) OVER ()").done()
		}},
	}
}
