package cli

// maxShownOfCode is how many findings of one code about data are shown in full.
const maxShownOfCode = 5

// hiddenFindings counts the findings of a code that are not shown.
type hiddenFindings struct {
	code  string
	count int
}

// shown is what a text shows of a group, and how many findings about data it leaves out: one wrong
// column may be in a hundred fields.
func (g sharedFindings) shown() (list []findingGroup[finding], hidden []hiddenFindings) {
	seen := map[string]int{}
	at := map[string]int{}
	for _, one := range g.equal() {
		code := one.first.code
		if seen[code]++; !one.first.data || seen[code] <= maxShownOfCode {
			list = append(list, one)
			continue
		}
		if _, ok := at[code]; !ok {
			at[code] = len(hidden)
			hidden = append(hidden, hiddenFindings{code: code})
		}
		hidden[at[code]].count++
	}
	return list, hidden
}
