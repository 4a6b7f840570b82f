package refine

import "slices"

// RowPassNames lists the passes over the rows of a result.
func RowPassNames() []string {
	var out []string
	for _, p := range rowPasses {
		out = append(out, p.name)
	}
	return out
}

// LeaveOut leaves out a pass until restore is called.
func LeaveOut(name string) (restore func()) {
	all := rowPasses
	rowPasses = slices.DeleteFunc(slices.Clone(all), func(p rowPass) bool { return p.name == name })
	return func() { rowPasses = all }
}
