module github.com/semlayer/semlayer/modelspec

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/tdewolff/parse/v2 v2.8.20
	go.yaml.in/yaml/v3 v3.0.5
)
