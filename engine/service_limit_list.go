package engine

import "github.com/semlayer/semlayer/modelspec/limits"

// ServiceLimit is one bound on input or results, with the object that it applies to.
type ServiceLimit = limits.Limit

// serviceLimits lists the bounds on models and queries, then those of this engine's
// configuration.
func (c Config) serviceLimits() []ServiceLimit {
	return append(limits.All(),
		ServiceLimit{Name: "concurrent_executions", Value: int64(c.MaxExecutions), Unit: "executions", AppliesTo: "executions at once", Code: CodeBusy, Setting: "--max-concurrent-executions"},
		ServiceLimit{Name: "concurrent_validations", Value: int64(c.MaxValidations), Unit: "validations", AppliesTo: "validations of a model at once", Code: CodeBusy},
		ServiceLimit{Name: "answer_bytes", Value: int64(c.MaxAnswerBytes), Unit: "bytes", AppliesTo: "a result in JSON", Code: "driver", Setting: "--max-answer-bytes"},
	)
}
