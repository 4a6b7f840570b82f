package query

// fanOutRefuse is the default of fan_out: metrics that a join would repeat are rejected. A query that has it
// equals one without the key, and removes the value of a saved query.
const fanOutRefuse = "refuse"

// FanOutOncePerGroup is the value of FanOut that counts each row of a metric's dataset once in
// each group, where a join would repeat it.
const FanOutOncePerGroup = "once_per_group"

var fanOutChoices = []string{fanOutRefuse, FanOutOncePerGroup}

func readFanOut(s *scanner, into *string) error {
	err := readChoice(s, into, fanOutChoices)
	if *into == fanOutRefuse {
		*into = ""
	}
	return err
}
