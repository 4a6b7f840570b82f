package main

import "regexp"

// Pattern is one way to write a sentence that a reader has to read twice.
type Pattern struct {
	ID    string
	Match *regexp.Regexp
	But   *regexp.Regexp // a match inside of a match of But is not reported
	Why   string
	Write string // the plain form
	Bad   string // a sentence that matches, for the tests
	Good  string // the same sentence in plain words
}

const (
	adviceNoPersonification    = "code does not speak, know or stand"
	adviceSameWordForSameThing = "one thing has one word"
	adviceNameTheThing         = "a noun clause hides the thing that it means"
)

func compilePattern(text string) *regexp.Regexp { return regexp.MustCompile(`(?i)` + text) }

// disallowedWordingPatterns are rules 2 and 3 of "Language" in CONTRIBUTING.md.
var disallowedWordingPatterns = []Pattern{
	{ID: "is-no", Match: compilePattern(`\b(?:is|are|was|were|be|am) (?:no|none)\b`), But: compilePattern(`\bthere (?:is|are|was|were|be) (?:no|none)\b|\b(?:is|are|was|were|be) no (?:longer|more than)\b`),
		Why: "a negated noun reads as a translation", Write: `"is not a", "is missing"`,
		Bad: "The body is no Arrow stream.", Good: "The body is not an Arrow stream; there is no retry, and the slot is no longer taken."},
	{ID: "whoever", Match: compilePattern(`\b(?:whoever|whomever|whatever|whichever)\b`),
		Why: adviceNameTheThing, Write: `"anyone who", "a client that", "any"`,
		Bad: "Whoever asks gets the same bytes.", Good: "Every client gets the same bytes."},
	{ID: "nobody", Match: compilePattern(`\b(?:nobody|everybody|somebody|anybody)\b`),
		Why: "a sentence about programs has no people in it", Write: `name the program: "no client", "every caller"`,
		Bad: "A file system that nobody writes.", Good: "A read-only file system."},
	{ID: "tells", Match: compilePattern(`\b(?:tells?|told|telling)\b`), But: compilePattern(`\b(?:tells?|telling|told) (?:\w+ )?apart\b`),
		Why: adviceNoPersonification, Write: `"reports", "returns", "describes", "distinguishes"`,
		Bad: "A flaw is told with its place.", Good: "Errors include the line and tell apart two files."},
	{ID: "says", Match: compilePattern(`\b(?:says|said)\b`),
		Why: adviceNoPersonification, Write: `"specifies", "reports", "names", "declares"`,
		Bad: "The dialect says it otherwise.", Good: "The dialect spells it in another way. Say which version you used."},
	{ID: "knows", Match: compilePattern(`\b(?:knows|knew|knowing)\b`),
		Why: adviceNoPersonification, Write: `"has", "supports", "detects", "recognises"`,
		Bad: "The file knows its own schema.", Good: "The file holds its schema, which callers know."},
	{ID: "stands", Match: compilePattern(`\b(?:stands?|stood|standing)\b`), But: compilePattern(`\b(?:stands?|stood|standing)[ -](?:for|in for|ins?|alone)\b`),
		Why: adviceNoPersonification, Write: `"is", "is in", "appears", "is written"`,
		Bad: "The error stands on standard error.", Good: "The error goes to standard error, and a dot stands for any text."},
	{ID: "of-own", Match: compilePattern(`\bof (?:its|their|his|her|our|your|one's|an?) own\b`),
		Why: "a possessive says it in one word", Write: `"its own X", "a separate X"`,
		Bad: "A process of its own serves it.", Good: "A separate process serves it."},
	{ID: "what-there-is", Match: compilePattern(`\bwhat (?:there (?:is|are|was)|comes|stands|it is asked|is asked|is there|is (?:gone|left|said|told|meant))\b`),
		Why: adviceNameTheThing, Write: "name the thing",
		Bad: "It lists what there is.", Good: "It lists the metrics and what a metric needs."},
	{ID: "what-subject", Match: compilePattern(`(?:^|[.;:!] )What (?:[a-z'-]+ ){1,6}(?:is|are|has|have|does|do|gets|goes|stays|counts|can|must|may)\b[^?.]*[.:|]`),
		Why: adviceNameTheThing, Write: "make the thing the subject of the sentence",
		Bad: "What does not compile is in the graph.", Good: "Objects that fail to compile appear in the graph. What does it cost?"},
	{ID: "moment", Match: compilePattern(`\bmoments?\b`), But: compilePattern(`\b(?:at the|for a) moment\b`),
		Why: adviceSameWordForSameThing, Write: `"timestamp", or "time"`,
		Bad: "The text of a moment has a zone.", Good: "A timestamp has a zone; wait for a moment."},
	{ID: "whole-number", Match: compilePattern(`\bwhole numbers?\b`),
		Why: adviceSameWordForSameThing, Write: `"integer"`,
		Bad: "The limit is a whole number.", Good: "The limit is an integer, not the whole list."},
	{ID: "permit", Match: compilePattern(`\b(?:an?|the|its|one|each|every|no|of) permits?\b`),
		Why: adviceSameWordForSameThing, Write: `"slot"`,
		Bad: "Each execution takes a permit.", Good: "Each execution takes a slot; the policy permits it."},
	{ID: "refusal", Match: compilePattern(`\brefusals?\b`),
		Why: adviceSameWordForSameThing, Write: `"error", "rejection"`,
		Bad: "Every refusal has a code.", Good: "Every error has a code; the query is rejected."},
	{ID: "answer-noun", Match: compilePattern(`\b(?:an|the|its|each|every|this|that|one|of|in|large|long|short|their|whole) answers?\b`),
		Why: adviceSameWordForSameThing, Write: `"response" for HTTP, "result" for rows`,
		Bad: "Each line of the answer is a row.", Good: "Each line of the response is a row; requests are answered in order."},
	{ID: "is-worth", Match: compilePattern(`\b(?:is|are|was|were) worth\b`), But: compilePattern(`\bworth (?:an?|the|\w+ing)\b`),
		Why: adviceNoPersonification, Write: `"has the value", "evaluates to"`,
		Bad: "The metric is worth 3.", Good: "The metric has the value 3. It is worth reading."},
	{ID: "anew", Match: compilePattern(`\banew\b`),
		Why: "an archaic word", Write: `"again", "from scratch"`,
		Bad: "Write the page anew.", Good: "Write the page again."},
	{ID: "mend", Match: compilePattern(`\bmend(?:s|ed|ing)?\b`),
		Why: adviceSameWordForSameThing, Write: `"fix"`,
		Bad: "A finding is mended.", Good: "A finding is fixed; I recommend it."},
	{ID: "so-is", Match: compilePattern(`(?:^|[.;:,] )so (?:is|are|does|do|did|has|have|had|was|were|can|will|must)\b`),
		Why: "the sentence leans on the one before it", Write: "repeat the verb",
		Bad: "It is rejected. So is the text of a date.", Good: "It is rejected, so that it is never sent. So it ends."},
	{ID: "is-such", Match: compilePattern(`\b(?:is|are|was|were) (?:so|such)(?:[.,;:]| of\b| that\b| without\b| with\b|$)`),
		Why: adviceNameTheThing, Write: "repeat the property",
		Bad: "It answers the requests that are such.", Good: "It answers the requests that match, such as these."},
	{ID: "others-own", Match: compilePattern(`\b(?:grammars?|modules?|packages?|variables?|libraries|code|parsers?) of others\b`),
		Why: adviceNameTheThing, Write: `"third-party"`,
		Bad: "It parses with grammars of others.", Good: "It parses with third-party grammars and those of other modules."},
	{ID: "kin", Match: compilePattern(`\b(?:and|or) (?:its|their) kin\b|\bkinds? of kin\b`),
		Why: adviceSameWordForSameThing, Write: `"the MySQL family"`,
		Bad: "MySQL and its kin do it.", Good: "The MySQL family does it; akin to that."},
	{ID: "as-it-comes", Match: compilePattern(`\bas (?:it|they) comes?\b`),
		Why: adviceNameTheThing, Write: `"by default"`,
		Bad: "The grace period is 80 as it comes.", Good: "The default grace period is 80, as it must come."},
	{ID: "looked-at", Match: compilePattern(`\b(?:is|are|was|were|be|been) looked (?:at|for|into)\b`),
		Why: adviceNoPersonification, Write: `"is checked", "is read", "is searched"`,
		Bad: "The token is looked at first.", Good: "The server checks the token first; names are looked up."},
	{ID: "has-it", Match: compilePattern(`\bas (?:\w+ ){1,3}ha(?:s|ve|d) it\b`),
		Why: adviceNameTheThing, Write: `"as the contract specifies", "according to"`,
		Bad: "It is an error, as the contract has it.", Good: "It is an error, as the contract specifies."},
	{ID: "inversion", Match: compilePattern(`(?:^|\. )(?-i:Of) (?:an?|the|two|three|what|those|each|every|several|all|more)\b`),
		Why: "the sentence begins with its object", Write: "subject, verb, object",
		Bad: "Of a longer body without a token nothing is read.", Good: "The server does not read a longer body without a token."},
	{ID: "neither-does", Match: compilePattern(`\b(?:nor|(?:and|or|but) neither) (?:is|are|do|does|did|has|have|had|was|were|can|will|must)\b`),
		Why: "the sentence leans on the one before it", Write: `repeat the verb: "also does not"`,
		Bad: "A null matches nothing, and neither does an empty interval.", Good: "A null and an empty interval match nothing; it is neither a date nor a time."},
	{ID: "what-becomes", Match: compilePattern(`\bwhat (?:becomes?|became) of\b`),
		Why: adviceNameTheThing, Write: `"the outcome of"`,
		Bad: "It reports what became of each construct.", Good: "It reports the outcome of each construct."},
}
