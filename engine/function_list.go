package engine

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/sqlemit"
)

// FunctionInfo describes one function that expressions may call. Its JSON has what programs need; the rest is for documentation.
type FunctionInfo struct {
	Name           string   `json:"name"`
	OtherNames     []string `json:"other_names,omitempty"`
	Kind           string   `json:"kind"`                      // scalar or aggregate
	Arguments      string   `json:"arguments"`                 // what follows the name
	Result         string   `json:"result"`                    // a datatype, or in words
	EnginesWithout []string `json:"engines_without,omitempty"` // the dialects that lack it

	Group   sqlexpr.FunctionGroup `json:"-"`
	Nulls   string                `json:"-"`
	Meaning string                `json:"-"`
	Example string                `json:"-"`
	Value   string                `json:"-"`
	Ossie   string                `json:"-"` // its level in the expression language of Apache Ossie
}

// Functions lists the functions of the expression language, by group and then by name.
func Functions() []FunctionInfo {
	var out []FunctionInfo
	for _, f := range sqlexpr.FunctionReferences() {
		info := FunctionInfo{
			Name: f.Names[0], OtherNames: f.Names[1:], Kind: "scalar", Arguments: f.Arguments, Result: f.Result,
			Group: f.Group, Nulls: f.Nulls, Meaning: f.Meaning, Example: f.Example, Value: f.Value, Ossie: string(f.Ossie),
		}
		if f.Class == sqlexpr.ClassAggregate {
			info.Kind = "aggregate"
		}
		if f.Fn != sqlexpr.FnUnknown {
			info.EnginesWithout = dialectsWithout(f.Fn)
		}
		out = append(out, info)
	}
	return out
}

func dialectsWithout(fn sqlexpr.Func) []string {
	var out []string
	for _, name := range sqlemit.DialectNames() {
		if d, _ := sqlemit.LookupDialect(name); !d.HasFunction(fn) {
			out = append(out, name)
		}
	}
	return out
}
