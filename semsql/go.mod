module github.com/semlayer/semlayer/semsql

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/semlayer/semlayer/modelspec v0.1.0
	github.com/semlayer/semlayer/planner v0.1.0
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
