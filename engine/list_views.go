package engine

import "github.com/semlayer/semlayer/engine/describe"

// Views lists the views without an error in the order of the model.
func (e *Engine) Views() []describe.View { return e.visible().describer.Views() }
