package main

import "regexp"

// exceptedSentences are the sentences that stay, each with its reason.
var exceptedSentences = []exceptedSentence{
	{
		file: "cmd/internal/cli/import_command.go", pattern: "nobody", text: regexp.MustCompile("[a-z]+ sees these rows"),
		why: "the summary of an import warns of people: without the access rule all of them see the rows",
	},
}

// skippedFiles are not read, each for its reason.
var skippedFiles = map[string]string{
	"tools/prose/excepted_sentences.go": "it quotes the sentences that stay",
	"tools/prose/patterns.go":           "it quotes the sentences that the patterns match",
}
