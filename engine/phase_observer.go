package engine

import "context"

// QueryPhase is a part of answering that takes time.
type QueryPhase string

// The phases of a query.
const (
	// PhasePlan is from the query to the text of its SQL or plan.
	PhasePlan QueryPhase = "plan"
	// PhaseExecute is one statement, from its start until its rows are read or
	// its stream is closed. An attribution has several, side by side.
	PhaseExecute QueryPhase = "execute"
)

// PhaseInfo describes a phase to an Observer when the phase begins. None of its fields
// comes from the text of a query.
type PhaseInfo struct {
	Phase      QueryPhase
	Dialect    string // canonical name
	Connection string // name of the profile; "" for the embedded database
}

// PhaseOutcome is how a phase ended.
type PhaseOutcome struct {
	Rows int64 // read by an execution
	Err  error // nil when it succeeded
}

// PhaseObserver receives phases as they happen, for metrics and traces. Several goroutines
// use it at once, some of them after the caller of a method has stopped waiting.
type PhaseObserver interface {
	// Begin is called when a phase begins. The work gets the context that it
	// returns; end is called once, when the phase is over.
	Begin(ctx context.Context, w PhaseInfo) (inner context.Context, end func(PhaseOutcome))
}

type phaseObserverContextKey struct{}

// WithPhaseObserver returns a context under which the verbs of an Engine report to o.
func WithPhaseObserver(ctx context.Context, o PhaseObserver) context.Context {
	return context.WithValue(ctx, phaseObserverContextKey{}, o)
}

// startPhase reports the begin of a phase to the observer of ctx, if there is one.
func startPhase(ctx context.Context, phase QueryPhase, t compileTarget) (inner context.Context, end func(PhaseOutcome)) {
	inner, end = ctx, func(PhaseOutcome) {}
	if o, ok := ctx.Value(phaseObserverContextKey{}).(PhaseObserver); ok {
		inner, end = o.Begin(ctx, PhaseInfo{Phase: phase, Dialect: t.dialect.Name(), Connection: t.connectionName()})
	}
	return inner, recordPhase(ctx, phase, end)
}
