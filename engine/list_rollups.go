package engine

import "github.com/semlayer/semlayer/engine/describe"

// Rollups lists the rollups without an error in the order of the model.
func (e *Engine) Rollups() []describe.Rollup { return e.visible().describer.Rollups() }
