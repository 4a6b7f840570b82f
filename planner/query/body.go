package query

// Body is the body of a query that becomes one statement: a *MetricQuery, a *DetailQuery or a *SQLStatement, or a struct that embeds one
// of them.
type Body interface {
	// Target returns the dialect and the connection that the body names.
	Target() (dialect, connection string)
	// RequestHints requests hints about an empty result where the body does not decide; a statement in SQL has none.
	RequestHints()
	sealed()
}

// Target returns the dialect and the connection of a metric query.
func (q *MetricQuery) Target() (dialect, connection string) { return q.Dialect, q.Connection }

// Target returns the dialect and the connection of a detail query.
func (q *DetailQuery) Target() (dialect, connection string) { return q.Dialect, q.Connection }

// Target returns the dialect and the connection of a statement.
func (s *SQLStatement) Target() (dialect, connection string) { return s.Dialect, s.Connection }

// RequestHints sets Hints if the query does not.
func (q *MetricQuery) RequestHints() { requestHints(&q.Hints) }

// RequestHints sets Hints if the query does not.
func (q *DetailQuery) RequestHints() { requestHints(&q.Hints) }

// RequestHints has no effect: a statement has no hints.
func (*SQLStatement) RequestHints() {}

func requestHints(hints **bool) {
	if *hints == nil {
		*hints = new(true)
	}
}

func (*MetricQuery) sealed()  {}
func (*DetailQuery) sealed()  {}
func (*SQLStatement) sealed() {}
