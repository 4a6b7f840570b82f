package main

// exceptions are the sentences that stay, each with its reason.
var exceptions = []exception{}

// skippedFiles are not read, each for its reason.
var skippedFiles = map[string]string{
	"tools/prose/patterns.go": "it quotes the sentences that the patterns match",
}
