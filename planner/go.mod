module github.com/semlayer/semlayer/planner

go 1.26.0

require (
	github.com/semlayer/semlayer/modelspec v0.1.0
)
