module github.com/semlayer/semlayer/clients/go

go 1.26.0
