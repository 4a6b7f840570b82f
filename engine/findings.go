package engine

import (
	"github.com/semlayer/semlayer/modelspec"
)

// Findings are what the author of the model should know.
type Findings struct {
	CompileErrors []*modelspec.CompileError  `json:"compile_errors"`
	Warnings      []modelspec.CompileWarning `json:"warnings"`
}

// Findings lists the objects of the model that did not compile, and its
// warnings.
func (e *Engine) Findings() Findings {
	f := Findings{CompileErrors: e.CompileErrors(), Warnings: e.Warnings()}
	if f.CompileErrors == nil {
		f.CompileErrors = []*modelspec.CompileError{}
	}
	return f
}
