package engine

import (
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/planner/planerr"
)

// The stages that an error can come from.
const (
	StagePlan    = "plan"
	StageExecute = "execute"
	StageServer  = "server"
)

// CodeInfo describes one error code.
type CodeInfo struct {
	Code    string   `json:"code"`
	Stage   string   `json:"stage"`
	When    string   `json:"when"`
	Extras  []string `json:"extras,omitempty"` // optional fields of the error
	Since   string   `json:"since"`
	Retired string   `json:"retired,omitempty"` // why it is no longer raised
}

// Codes lists the codes that a request to an engine can end with, stage by
// stage, in the order of the documentation.
func Codes() []CodeInfo {
	var out []CodeInfo
	for _, i := range planerr.Codes() {
		c := CodeInfo{Code: i.Code, Stage: StagePlan, When: i.When, Since: i.Since, Retired: i.Retired}
		for _, x := range i.Extras {
			c.Extras = append(c.Extras, string(x))
		}
		out = append(out, c)
	}
	for _, i := range executor.Codes() {
		out = append(out, CodeInfo{Code: i.Code, Stage: StageExecute, When: i.When, Extras: i.Extras, Since: i.Since})
	}
	return append(out, CodeInfo{Code: CodeBusy, Stage: StageServer, When: "all execution slots are taken", Since: "0.1.0"})
}
