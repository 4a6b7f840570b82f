module github.com/semlayer/semlayer/modelspec

go 1.26.0
