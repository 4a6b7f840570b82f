package engine

import "context"

// Plane is the kind of a query.
type Plane string

// The planes.
const (
	PlaneMetric      Plane = "metric"
	PlaneDetail      Plane = "detail"
	PlaneAttribution Plane = "attribution"
)

// Question is what a query asks for. Its names are those of the model and of the
// profiles; nothing in it is taken from the text of a query.
type Question struct {
	Plane Plane
	// Metrics are those of the model that the query names, in its order.
	Metrics []string
	// Dialect and Connection are where the query goes; both are empty when it names a
	// connection or a dialect that is not known. Connection is also empty for the
	// embedded database.
	Dialect    string
	Connection string
}

// QuestionObserver is an Observer that learns what each query asks, before the query is
// planned, so also of one that is refused.
type QuestionObserver interface {
	Asked(ctx context.Context, q Question)
}

// chooseTarget chooses the target of a query and reports the question to the observer of ctx.
func (e *Engine) chooseTarget(ctx context.Context, plane Plane, metrics []string, dialect, connection string) (target, error) {
	t, err := e.target(dialect, connection)
	if o, ok := ctx.Value(observerKey{}).(QuestionObserver); ok {
		q := Question{Plane: plane, Metrics: e.knownMetrics(metrics)}
		if err == nil {
			q.Dialect, q.Connection = t.dialect.Name(), t.connectionName()
		}
		o.Asked(ctx, q)
	}
	return t, err
}

// knownMetrics leaves out the names that the model does not have.
func (e *Engine) knownMetrics(metrics []string) []string {
	var out []string
	for _, name := range metrics {
		if m := e.cat.Metric(name); m != nil {
			out = append(out, m.Name)
		}
	}
	return out
}

// connectionName is "" for the embedded database.
func (t target) connectionName() string {
	if t.connection == nil {
		return ""
	}
	return t.connection.info.Name
}
