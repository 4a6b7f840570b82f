package engine

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// ConnectionStatus is a connection profile, and whether its warehouse answers.
type ConnectionStatus struct {
	ConnectionInfo
	Reachable bool `json:"reachable"`
	// LatencyMS is how long one small statement took, in milliseconds, the connecting included where none was open.
	LatencyMS int64 `json:"latency_ms"`
	// Version of the warehouse in its own words; empty where it has no function for it.
	Version string `json:"version,omitempty"`
	// Error is the code of the failure.
	Error string `json:"error,omitempty"`
}

const (
	// concurrentConnectionChecks bounds the warehouses that are asked at one time.
	concurrentConnectionChecks = 4
	// connectionCheckShare is the part of the time of a request in which warehouses may answer; the rest is for the response.
	connectionCheckShare = 0.9
	maxVersionBytes      = 200
)

// CheckConnections asks the warehouse of each profile that the caller may use for its version. All of it runs in one execution slot, in
// most of the time that the context has: a warehouse that does not answer by then has the code timeout. The error is that of a slot that is
// not free.
func (e *Engine) CheckConnections(ctx context.Context) ([]ConnectionStatus, error) {
	all := e.connectionsOfReader()
	forOne := time.Duration(math.MaxInt64)
	if deadline, ok := ctx.Deadline(); ok {
		forAll := time.Duration(float64(time.Until(deadline)) * connectionCheckShare)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, forAll)
		defer cancel()
		forOne = forAll / time.Duration(1+len(all.list)/concurrentConnectionChecks)
	}
	infos := all.connectionInfos()
	return runInExecutionSlot(ctx, e, compileTarget{}, true, func(ctx context.Context) ([]ConnectionStatus, error) {
		out := make([]ConnectionStatus, len(all.list))
		turns := make(chan struct{}, concurrentConnectionChecks)
		done := make(chan func(), len(all.list))
		for i, c := range all.list {
			out[i] = ConnectionStatus{ConnectionInfo: infos[i], Error: executor.CodeTimeout}
			go func() {
				found := out[i]
				if err := e.checkStatus(ctx, c, turns, forOne, &found); err != nil {
					found.Error = e.codeOfFailure(err)
				}
				done <- func() { out[i] = found }
			}()
		}
		for range all.list {
			select {
			case set := <-done:
				set()
			case <-ctx.Done():
				return out, nil
			}
		}
		return out, nil
	})
}

// checkStatus asks one warehouse in its turn, and at most for that time, so that each has a turn.
func (e *Engine) checkStatus(ctx context.Context, c *warehouseConnection, turns chan struct{}, atMost time.Duration, s *ConnectionStatus) (err error) {
	defer e.recoverToError(&err)
	select {
	case turns <- struct{}{}:
		defer func() { <-turns }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := e.checkExecutable(c.target); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	begun := time.Now()
	db, err := e.executorOfTarget(ctx, c.target)
	if err != nil {
		return err
	}
	sql, hasVersion := c.target.dialect.VersionQuery()
	var version string
	if err := forEachBatch(ctx, db, sql, nil, func(b arrow.RecordBatch) { version = b.Column(0).ValueStr(0) }); err != nil {
		return err
	}
	s.Reachable, s.LatencyMS, s.Error = true, time.Since(begun).Milliseconds(), ""
	if hasVersion {
		s.Version = version[:min(len(version), maxVersionBytes)]
	}
	return nil
}

// codeOfFailure returns the code of an error of a warehouse.
func (e *Engine) codeOfFailure(err error) string {
	var failure *ExecuteError
	switch {
	case errors.As(err, &failure):
		return failure.Code
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return executor.CodeTimeout
	}
	if errors.As(e.toCodedError(err), &failure) {
		return failure.Code
	}
	return executor.CodeInternal
}
