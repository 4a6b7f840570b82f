module github.com/semlayer/semlayer/cmd

go 1.26.0

require (
	github.com/semlayer/semlayer/engine v0.1.0
	github.com/semlayer/semlayer/restapi v0.1.0
)
