module github.com/semlayer/semlayer/tools

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	go.yaml.in/yaml/v3 v3.0.5
	golang.org/x/mod v0.42.0
)
