module github.com/semlayer/semlayer/engine

go 1.26.0

require (
	github.com/semlayer/semlayer/executor v0.1.0
	github.com/semlayer/semlayer/modelspec v0.1.0
	github.com/semlayer/semlayer/planner v0.1.0
	github.com/semlayer/semlayer/sqlemit v0.1.0
)
