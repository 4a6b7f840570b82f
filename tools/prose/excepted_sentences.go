package main

// exceptedSentences are the sentences that stay, each with its reason.
var exceptedSentences = []exceptedSentence{}

// skippedFiles are not read, each for its reason.
var skippedFiles = map[string]string{
	"tools/prose/prose_patterns.go": "it quotes the sentences that the patterns match",
}
