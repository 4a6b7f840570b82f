package engine

import "context"

// QueryPlane is the kind of a query.
type QueryPlane string

// The planes.
const (
	PlaneMetric      QueryPlane = "metric"
	PlaneDetail      QueryPlane = "detail"
	PlaneAttribution QueryPlane = "attribution"
	PlaneSQL         QueryPlane = "sql" // a statement, which becomes queries of the other planes
)

// ObservedQuery is what a query requests. Its names are those of the model and of the
// profiles; nothing in it is taken from the text of a query.
type ObservedQuery struct {
	Plane QueryPlane
	// Metrics are those of the model that the query names, in its order.
	Metrics []string
	// Dialect and Connection are where the query goes; both are empty when it names a
	// connection or a dialect that is not known. Connection is also empty for the
	// embedded database.
	Dialect    string
	Connection string
}

// QueryObserver is an Observer that learns what each query asks, before the query is
// planned, so also of one that is rejected.
type QueryObserver interface {
	QueryReceived(ctx context.Context, q ObservedQuery)
}

// chooseAndReportTarget chooses the target of a query and reports the question to the observer of ctx.
func (e *Engine) chooseAndReportTarget(ctx context.Context, plane QueryPlane, metrics []string, dialect, connection string) (compileTarget, error) {
	t, err := e.chooseCompileTarget(dialect, connection)
	t.planner.Now, t.planner.Rollups = e.config.Now(), e.rollupTarget(t)
	recordTarget(ctx, plane, metrics, t)
	if o, ok := ctx.Value(phaseObserverContextKey{}).(QueryObserver); ok {
		q := ObservedQuery{Plane: plane, Metrics: e.dropUnknownMetricNames(metrics)}
		if err == nil {
			q.Dialect, q.Connection = t.dialect.Name(), t.connectionName()
		}
		o.QueryReceived(ctx, q)
	}
	return t, err
}

// dropUnknownMetricNames leaves out the names that the model does not have.
func (e *Engine) dropUnknownMetricNames(metrics []string) []string {
	var out []string
	for _, name := range metrics {
		if m := e.cat.Metric(name); m != nil {
			out = append(out, m.Name)
		}
	}
	return out
}

// connectionName is "" for the embedded database.
func (t compileTarget) connectionName() string {
	if t.connection == nil {
		return ""
	}
	return t.connection.info.Name
}
