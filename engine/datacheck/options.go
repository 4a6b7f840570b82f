package datacheck

import (
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/suggest"
)

// The defaults of Options.
const (
	DefaultMaxRows          = 1000000
	DefaultStatementTimeout = 30 * time.Second
)

// UnlimitedRows is the MaxRows of a check that reads all rows.
const UnlimitedRows = -1

// Options bound a check.
type Options struct {
	// MaxRows is how many rows of a dataset one check may read; 0 means DefaultMaxRows and
	// Unlimited all rows. A check that read fewer rows than there are is reported as
	// check_incomplete.
	MaxRows int64
	// Skip lists codes of findings that are not sought.
	Skip []string
	// StatementTimeout is the time limit of each statement; 0 means DefaultStatementTimeout.
	StatementTimeout time.Duration
}

// UnknownCodeError rejects a code of Options.Skip that is not a code of this package.
type UnknownCodeError struct {
	Code       string
	Candidates []string // the nearest codes
}

// Error names the code and the nearest ones.
func (e *UnknownCodeError) Error() string {
	return "unknown code of a finding about data: " + quoteText(e.Code) + "; the nearest are " + strings.Join(e.Candidates, ", ")
}

// RejectUnknownSkipCodes returns an *UnknownCodeError for a code of Skip that no finding has.
func (o Options) RejectUnknownSkipCodes() error {
	var names []string
	for _, c := range Codes() {
		names = append(names, c.Code)
	}
	for _, code := range o.Skip {
		if !containsString(names, code) {
			return &UnknownCodeError{Code: code, Candidates: suggest.Nearest(code, names, maxCandidates)}
		}
	}
	return nil
}

// withDefaults fills what is not set.
func (o Options) withDefaults() Options {
	if o.MaxRows == 0 {
		o.MaxRows = DefaultMaxRows
	}
	if o.StatementTimeout <= 0 {
		o.StatementTimeout = DefaultStatementTimeout
	}
	return o
}

// reportsAnyCode reports whether one of the codes is sought.
func (o Options) reportsAnyCode(codes ...string) bool {
	for _, code := range codes {
		if !containsString(o.Skip, code) {
			return true
		}
	}
	return false
}
