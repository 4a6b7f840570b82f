package engine

import "github.com/semlayer/semlayer/modelspec/limits"

// serviceLimits lists the bounds on models and queries, then those of this engine's
// configuration.
func (c Config) serviceLimits() []limits.Limit {
	return append(limits.All(),
		limits.Limit{Name: "concurrent_executions", Value: int64(c.MaxExecutions), Unit: "executions", AppliesTo: "executions at once", Code: CodeBusy, Setting: "--max-concurrent-executions"},
		limits.Limit{Name: "concurrent_validations", Value: int64(c.MaxValidations), Unit: "validations", AppliesTo: "validations of a model at once", Code: CodeBusy},
		limits.Limit{Name: "answer_bytes", Value: int64(c.MaxAnswerBytes), Unit: "bytes", AppliesTo: "a result in JSON", Code: "driver", Setting: "--max-answer-bytes"},
	)
}
