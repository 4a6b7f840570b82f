package warehousefake

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// DriverUnderTest is the executor of a cloud warehouse under test.
type DriverUnderTest struct {
	// Dialect is that of the executor and the type of its profiles.
	Dialect string
	Driver  warehouse.Driver
	// New starts a fake.
	New func(testing.TB) *FakeService
	// Values are the types of the warehouse.
	Values []executortest.ValueCase
	// Nowhere are the settings of a profile, without its type. Its host, which has
	// "nowhere" in its name, does not exist.
	Nowhere string
}

// TestDriver checks what every driver family owes, and what the executor of a cloud warehouse
// owes besides.
func TestDriver(t *testing.T, s DriverUnderTest) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, DriverUnderTest)
	}{
		{"it conforms and leaves no statement running", runConformanceSuite},
		{"a profile opens without connecting", testUnreachableProfile},
		{"a statement that is being accepted is cancelled too", testCancelBeforeStatementID},
		{"a silent service is given up", testNoResponse},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, s) })
	}
}

// ExpectErrorWithoutSecrets is executortest.ExpectError for errors that show no secret, no host and no
// link that has a permission in it.
func ExpectErrorWithoutSecrets(t testing.TB, err error, code string) *executor.Error {
	t.Helper()
	return executortest.ExpectError(t, err, code, FakeSecret, "127.0.0.1", "nowhere", "signature")
}

func runConformanceSuite(t *testing.T, s DriverUnderTest) {
	f := s.New(t)
	executortest.RunConformance(t, executortest.ConformanceBackend{Dialect: s.Dialect, Open: f.Open, Series: SeriesStatement, Slow: SlowStatement, Failing: FailingMidResultStatement, Values: s.Values})
	if n, _ := f.RunningAndCancelledCounts(); n != 0 {
		t.Errorf("%d statements still run at the warehouse", n)
	}
}

func testUnreachableProfile(t *testing.T, s DriverUnderTest) {
	f, err := profile.Parse([]byte("datasources: {w: {type: "+s.Dialect+", "+s.Nowhere+"}}"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	o := warehouse.Options{Drivers: []warehouse.Driver{s.Driver}}
	if err := warehouse.CheckProfile(f.Profiles[0], o); err != nil {
		t.Fatal(err)
	}
	e, err := warehouse.OpenProfile(t.Context(), f.Profiles[0], o)
	if err != nil {
		t.Fatal(err)
	}
	closeExecutorAtTestEnd(t, e)
	_, err = executortest.CollectJSON(t.Context(), e, "SELECT 1")
	_ = ExpectErrorWithoutSecrets(t, err, executor.CodeConnection)
}

// A statement has no name before the warehouse answers: it is waited for, so that it
// can be ended. The first one may be a question about the session.
func testCancelBeforeStatementID(t *testing.T, s DriverUnderTest) {
	for name, before := range map[string]int{"the first": 0, "a later one": 1} {
		t.Run(name, func(t *testing.T) {
			f := s.New(t)
			e := f.openExecutor(t)
			for range before {
				if _, err := executortest.CollectJSON(t.Context(), e, SeriesStatement(1)); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := shortDeadline(t)
			defer cancel()
			f.Misbehave = delayStatementStart(ctx.Done())
			expectTimeoutOf(ctx, t, e)
			if left, cancelled := f.RunningAndCancelledCounts(); left != 0 || cancelled != 1 {
				t.Errorf("%d statements left, %d cancelled", left, cancelled)
			}
		})
	}
}

// A service that never responds does not block a caller.
func testNoResponse(t *testing.T, s DriverUnderTest) {
	f := s.New(t)
	release := make(chan struct{})
	f.Misbehave = neverRespond(release)
	e := f.openExecutor(t)
	defer close(release)
	started := time.Now()
	expectTimeout(t, e)
	if took := time.Since(started); took > testwait.Deadline {
		t.Errorf("returned after %v", took)
	}
}

// expectTimeout runs a slow statement past its deadline.
func expectTimeout(t *testing.T, e executor.Executor) {
	t.Helper()
	ctx, cancel := shortDeadline(t)
	defer cancel()
	expectTimeoutOf(ctx, t, e)
}

func shortDeadline(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), 50*time.Millisecond)
}

// expectTimeoutOf runs a slow statement past the deadline of ctx.
func expectTimeoutOf(ctx context.Context, t *testing.T, e executor.Executor) {
	t.Helper()
	_, err := executortest.CollectJSON(ctx, e, SlowStatement)
	_ = ExpectErrorWithoutSecrets(t, err, executor.CodeTimeout)
}

// FailureCase is a way to fail and the error that it must give.
type FailureCase struct {
	Name  string
	Fault RequestFault
	// Code is that of the error, whose message has the words.
	Code, Words string
}

// TestFailures checks that the statement One fails in each way as it should.
func TestFailures(t *testing.T, start func(testing.TB) *FakeService, failures []FailureCase) {
	for _, tt := range failures {
		t.Run(tt.Name, func(t *testing.T) {
			_, err := runWithFault(t, start, tt.Fault, OneRowStatement)
			if got := ExpectErrorWithoutSecrets(t, err, tt.Code); !strings.Contains(got.Message, tt.Words) {
				t.Errorf("message %q, want %q in it", got.Message, tt.Words)
			}
		})
	}
}

// TestTruncatedResults checks that a result which breaks off after its first rows, in each of these
// ways, is an error and not a quiet end. A hundred thousand rows are requested.
func TestTruncatedResults(t *testing.T, start func(testing.TB) *FakeService, cuts map[string]RequestFault) {
	for name, cut := range cuts {
		t.Run(name, func(t *testing.T) {
			f, err := runWithFault(t, start, cut, SeriesStatement(100_000))
			_ = ExpectErrorWithoutSecrets(t, err, executor.CodeDriver)
			if n, _ := f.RunningAndCancelledCounts(); n != 0 {
				t.Errorf("%d statements still run at the warehouse", n)
			}
		})
	}
}

// runWithFault runs a statement under a fault.
func runWithFault(t *testing.T, start func(testing.TB) *FakeService, fault RequestFault, sql string) (*FakeService, error) {
	t.Helper()
	f := start(t)
	f.Misbehave = fault
	e := f.openExecutor(t)
	_, err := executortest.CollectJSON(t.Context(), e, sql)
	return f, err
}

// TestRetriesWhenBusy checks that a service that is busy now and then gives all rows, and returns
// how many statements that took.
func TestRetriesWhenBusy(t *testing.T, f *FakeService, busy RequestFault) (statements int) {
	t.Helper()
	const n = 60_000
	f.Misbehave = FailEveryOtherRequest(busy)
	e := f.openExecutor(t)
	if got, err := executortest.CollectJSON(t.Context(), e, SeriesStatement(n)); err != nil || got.Count != n {
		t.Errorf("%d rows, %v", got.Count, err)
	}
	return f.StatementCount()
}
