package reference_test

import "testing"

// points ties two teams, and one has nothing to add up.
const points = `
	points(id! Integer, day Date, team String, n Integer, m Integer)
	total: SUM(points.n)
	other: SUM(points.m)
	row: SUM(points.n) {"window":{"rank":{"function":"row_number"}}}
	rank: SUM(points.n) {"window":{"rank":{"function":"rank"}}}
	dense: SUM(points.n) {"window":{"rank":{"function":"dense_rank"}}}
	percent: SUM(points.n) {"window":{"rank":{"function":"percent_rank"}}}
	cume: SUM(points.n) {"window":{"rank":{"function":"cume_dist"}}}
	tile: SUM(points.n) {"window":{"rank":{"function":"ntile","buckets":2}}}
	lowest: SUM(points.n) {"window":{"rank":{"function":"rank","order":{"by":"value","direction":"asc"}}}}
	by_rows: SUM(points.n) {"window":{"frame":{"function":"count","preceding":"unbounded","order":{"by":"value","direction":"desc"},"partition":{"mode":"none"}}}}
	by_range: SUM(points.n) {"window":{"frame":{"function":"count","preceding":"unbounded","units":"range","order":{"by":"value","direction":"desc"},"partition":{"mode":"none"}}}}
	near: SUM(points.n) {"window":{"frame":{"function":"sum","preceding":3,"units":"range","order":{"by":"value","direction":"asc"},"partition":{"mode":"none"}}}}
	best: SUM(points.n) {"window":{"value":{"function":"first_value","order":{"by":"value","direction":"desc"},"partition":{"mode":"none"}}}}
	last: SUM(points.n) {"window":{"value":{"function":"last_value","order":{"by":"value","direction":"desc"},"partition":{"mode":"none"}}}}
	spread: SUM(points.n) {"window":{"frame":{"function":"var_pop","scope":"partition","partition":{"mode":"none"}}}}
	sample: SUM(points.n) {"window":{"frame":{"function":"stddev_samp","scope":"partition","partition":{"mode":"none"}}}}
	together: SUM(points.n) {"window":{"frame":{"function":"covar_pop","second":"other","scope":"partition","partition":{"mode":"none"}}}}
	corr: SUM(points.n) {"window":{"frame":{"function":"corr","second":"other","scope":"partition","partition":{"mode":"none"}}}}
	rank_in_team: SUM(points.n) {"window":{"rank":{"function":"rank","partition":{"mode":"query_dimensions_except","exclude":["points.day"]}}}}`

func pointsWorld(t *testing.T) world {
	return given(t, points, map[string]string{"points": `id day team n m
		1 2024-01-01 a 7 1
		2 2024-01-01 b 5 2
		3 2024-01-02 c 5 3
		4 2024-01-02 d 1 4
		5 2024-01-02 e ∅ 5`})
}

func TestWindow_RankTiesAndNulls(t *testing.T) {
	pointsWorld(t).answers(t, `{"metrics":["total","row","rank","dense","percent","cume","tile","lowest"],"group_by":[{"field":"points.team"}]}`, `
		team | total | row | rank | dense | percent | cume | tile | lowest
		a | 7 | 1 | 1 | 1 | 0 | 0.2 | 1 | 4
		b | 5 | 2 | 2 | 2 | 0.25 | 0.6 | 1 | 2
		c | 5 | 3 | 2 | 2 | 0.25 | 0.6 | 1 | 2
		d | 1 | 4 | 4 | 3 | 0.75 | 0.8 | 2 | 1
		e | ∅ | 5 | 5 | 4 | 1 | 1 | 2 | 5`)
}

func TestWindow_FrameTies(t *testing.T) {
	pointsWorld(t).answers(t, `{"metrics":["by_rows","by_range","near","best","last"],"group_by":[{"field":"points.team"}]}`, `
		team | by_rows | by_range | near | best | last
		a | 1 | 1 | 17 | 7 | ∅
		b | 2 | 3 | 10 | 7 | ∅
		c | 3 | 3 | 10 | 7 | ∅
		d | 4 | 4 | 1 | 7 | ∅
		e | 4 | 4 | ∅ | 7 | ∅`)
}

// The totals 7, 5, 5, 1 have the mean 4.5 and the squares 6.25, 0.25, 0.25,
// 12.25; with 1, 2, 3, 4 of the mean 2.5 the products are -3.75, -0.25, 0.25 and
// -5.25.
func TestWindow_WholePartitionFunctions(t *testing.T) {
	pointsWorld(t).answers(t, `{"metrics":["spread","sample","together","corr"],"group_by":[{"field":"points.team"}],"where_sql":"points.team = 'a'"}`, `
		team | spread | sample | together | corr
		a | 4.75 | 2.516611478 | -2.25 | -0.9233805169`)
	// A single group has no sample, and nothing varies in it.
	pointsWorld(t).answers(t, `{"metrics":["spread","sample","together","corr"],"group_by":[{"field":"points.team"}],"context_filter":"points.team = 'a'"}`, `
		team | spread | sample | together | corr
		a | 0 | ∅ | 0 | ∅`)
}

func TestWindow_ExcludedDimensionMustBeGrouped(t *testing.T) {
	w := pointsWorld(t)
	w.refuses(t, `{"metrics":["rank_in_team"],"group_by":[{"field":"points.team"}]}`, "window_exclude_not_grouped")
	w.answers(t, `{"metrics":["rank_in_team"],"group_by":[{"field":"points.team"},{"field":"points.day"}],"limit":2}`, `
		team | day | rank_in_team
		a | 2024-01-01 | 1
		b | 2024-01-01 | 1`)
}

func TestWindow_EmptyInput(t *testing.T) {
	w := pointsWorld(t)
	w.answers(t, `{"metrics":["rank","total","spread"],"context_filter":"points.n > 99"}`, "rank | total | spread\n∅ | ∅ | ∅") // a rank is a place among rows with data
	w.answers(t, `{"metrics":["rank"],"group_by":[{"field":"points.team"}],"context_filter":"points.n > 99"}`, "team | rank")
}
