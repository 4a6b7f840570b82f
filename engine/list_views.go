package engine

import (
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/planner/plan"
)

// Views lists the views without an error in the order of the model.
func (e *Engine) Views() []describe.View { return e.visible().describer.Views() }

// ViewUse is the view that a query is in, with what of it acts by default.
type ViewUse = plan.ViewUse
