package engine

import "github.com/semlayer/semlayer/engine/memory"

const (
	// planBytesPerTextByte is what the tree, the plan and the SQL of a statement take for each byte of its text, estimated.
	planBytesPerTextByte = 64
	// smallPlanBytes is what every plan takes.
	smallPlanBytes = 32 << 10
)

// reservePlanMemory takes memory for the plan of a statement. The error is a *memory.LimitError.
func (e *Engine) reservePlanMemory(s *SQLStatement) (*memory.Reservation, error) {
	bytes := len(s.SQL) + len(s.ContextFilter)
	for _, p := range s.Params {
		bytes += len(p.Text)
	}
	return e.config.Memory.Part(memory.Plans).Reserve(smallPlanBytes + planBytesPerTextByte*int64(bytes))
}
