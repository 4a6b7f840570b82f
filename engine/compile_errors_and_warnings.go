package engine

// Findings are what the author of the model should know.
type Findings struct {
	CompileErrors []*CompileError `json:"compile_errors"`
	Warnings      []Warning       `json:"warnings"`
}

// Findings lists the objects of the model that did not compile, and its
// warnings.
func (e *Engine) Findings() Findings {
	f := Findings{CompileErrors: e.CompileErrors(), Warnings: e.Warnings()}
	if f.CompileErrors == nil {
		f.CompileErrors = []*CompileError{}
	}
	return f
}
