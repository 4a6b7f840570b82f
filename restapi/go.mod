module github.com/semlayer/semlayer/restapi

go 1.26.0

require (
	github.com/semlayer/semlayer/engine v0.1.0
)
