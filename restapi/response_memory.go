package restapi

import (
	"context"

	"github.com/semlayer/semlayer/engine/memory"
)

// uncountedResponseBytes is the length of a response that is not counted.
const uncountedResponseBytes = 16 << 10

// reserveResponse takes memory for a response until its client has it. Those of rows are counted while they are made.
func (s *Server) reserveResponse(ctx context.Context, bytes int) error {
	if bytes <= uncountedResponseBytes {
		return nil
	}
	held, err := s.config.Memory.Part(memory.Results).Reserve(int64(bytes))
	if err != nil {
		return err
	}
	memory.KeepForResponse(ctx, held)
	return nil
}
