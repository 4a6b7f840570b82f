module github.com/semlayer/semlayer/tools

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	golang.org/x/mod v0.42.0
	gopkg.in/yaml.v3 v3.0.1
)
