package engine

import (
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
)

const (
	// planBytesPerTextByte is what the tree, the plan and the SQL of a statement take for each byte of its text, estimated.
	planBytesPerTextByte = 64
	// smallPlanBytes is what every plan takes.
	smallPlanBytes = 32 << 10
	// planBytesPerNode is what the plan and the SQL take for each operator and operand that a metric query expands to, estimated.
	planBytesPerNode = 256
)

// reservePlanMemory takes memory for the plan of a statement. The error is a *memory.LimitError.
func (e *Engine) reservePlanMemory(s *query.SQLStatement) (*memory.Reservation, error) {
	bytes := len(s.SQL) + len(s.ContextFilter)
	for _, p := range s.Params {
		bytes += len(p.Text)
	}
	return e.config.Memory.Part(memory.Plans).Reserve(smallPlanBytes + planBytesPerTextByte*int64(bytes))
}

// reserveQueryPlanMemory takes memory for the plan of a query of that length, and lets the target take more while metrics are
// expanded. The error is a *memory.LimitError.
func (e *Engine) reserveQueryPlanMemory(queryBytes int, t planner.Target) (*memory.Reservation, planner.Target, error) {
	held, err := e.config.Memory.Part(memory.Plans).Reserve(smallPlanBytes + planBytesPerTextByte*int64(queryBytes))
	if err != nil {
		return nil, t, err
	}
	t.Grow = func(nodes int) error { return held.Grow(planBytesPerNode * int64(nodes)) }
	return held, t, nil
}
