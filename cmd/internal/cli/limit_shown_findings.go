package cli

// maxShownFindingsPerCode is how many findings of one code about data are shown in full.
const maxShownFindingsPerCode = 5

// hiddenFindingCount counts the findings of a code that are not shown.
type hiddenFindingCount struct {
	code  string
	count int
}

// limitShownFindings returns what a text shows of a group, and how many findings about data it leaves out: one wrong
// column may be in a hundred fields.
func (g titledFindings) limitShownFindings() (list []findingGroup[finding], hidden []hiddenFindingCount) {
	seen := map[string]int{}
	at := map[string]int{}
	for _, one := range g.groupEqualFindings() {
		code := one.first.code
		if seen[code]++; !one.first.data || seen[code] <= maxShownFindingsPerCode {
			list = append(list, one)
			continue
		}
		if _, ok := at[code]; !ok {
			at[code] = len(hidden)
			hidden = append(hidden, hiddenFindingCount{code: code})
		}
		hidden[at[code]].count++
	}
	return list, hidden
}
