package engine

import (
	"errors"
	"slices"

	"github.com/semlayer/semlayer/engine/datacheck"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// The stages that a finding or an error can come from.
const (
	StageValidate = "validate"
	StageCompile  = "compile"
	StagePlan     = "plan"
	StageExecute  = "execute"
	StageServer   = "server"
)

// CodeInfo describes one code of a stage.
type CodeInfo struct {
	Code     string   `json:"code"`
	Stage    string   `json:"stage"`
	Severity string   `json:"severity"` // error or warning
	When     string   `json:"when"`
	Extras   []string `json:"extras,omitempty"` // optional fields that it may fill
	Since    string   `json:"since"`
	Retired  string   `json:"retired,omitempty"` // why it is no longer raised
}

// Codes lists the codes of all stages in the order of the documentation. A code
// may stand in several stages.
func Codes() []CodeInfo {
	const failure = string(modelspec.SeverityError)
	var out []CodeInfo
	for _, i := range slices.Concat(modelspec.Codes(), datacheck.Codes(), compile.Codes()) {
		out = append(out, CodeInfo{i.Code, i.Stage, string(i.Severity), i.When, i.Extras, i.Since, i.Retired})
	}
	firstWarning := slices.IndexFunc(out, func(c CodeInfo) bool { return c.Stage == StageCompile && c.Severity != failure })
	out = slices.Insert(out, firstWarning, CodeInfo{
		Code: planner.CodeSavedQueryInvalid, Stage: StageCompile, Severity: failure, Since: "0.1.0", Extras: []string{"candidates", "hint"},
		When: "a saved query does not plan at the defaults of its parameters; the message is that of the plan error",
	})
	for _, i := range slices.Concat(planerr.Codes(), semsql.Codes()) {
		var extras []string
		for _, x := range i.Extras {
			extras = append(extras, string(x))
		}
		out = append(out, CodeInfo{i.Code, StagePlan, failure, i.When, extras, i.Since, i.Retired})
	}
	for _, i := range planerr.WarningCodes() {
		out = append(out, CodeInfo{Code: i.Code, Stage: StagePlan, Severity: string(modelspec.SeverityWarning), When: i.When, Since: i.Since})
	}
	for _, i := range executor.Codes() {
		out = append(out, CodeInfo{i.Code, StageExecute, failure, i.When, i.Extras, i.Since, ""})
	}
	return append(out, CodeInfo{CodeBusy, StageServer, failure, "all execution slots, or all validation slots, are in use", nil, "0.1.0", ""})
}

// NearestNames ranks names by nearness to one that is not among them, nearest first:
// at most n, which is not above 20. A name that is given twice counts once.
func NearestNames(name string, names []string, n int) []string {
	return suggest.Nearest(name, names, n)
}

// ClosestName returns the one name that was probably meant by a name that is not among
// them; false where none is near enough.
func ClosestName(name string, names []string) (string, bool) {
	return suggest.ClosestIfNear(name, names)
}

const sqlStateDiskFull = "53100"

// SQLStateOfCode returns the SQLSTATE that PostgreSQL's clients read for a code of an error.
func SQLStateOfCode(code string) string { return sqlerror.SQLStateOfCode(code) }

// SQLStateOf returns the SQLSTATE of an error: that of its code, which for memory depends on the cause.
func SQLStateOf(err CodedError) string {
	var (
		limit   *memory.LimitError
		execute *ExecuteError
	)
	switch {
	case errors.As(err, &limit):
		return limit.SQLState()
	case errors.As(err, &execute) && execute.DiskFull:
		return sqlStateDiskFull
	}
	return SQLStateOfCode(err.ErrorCode())
}
