package query

// FanOutOncePerGroup is the value of FanOut that counts each row of a metric's dataset once in
// each group, where a join would repeat it.
const FanOutOncePerGroup = "once_per_group"

var fanOutChoices = []string{FanOutOncePerGroup}
