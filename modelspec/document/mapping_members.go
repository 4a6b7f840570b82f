package document

// Members returns the keys and values of a mapping in turn, with YAML's merge keys (`<<`) put in: a
// mapping's own keys win, then those of earlier merges.
func (n *Node) Members() []*Node {
	merges := false
	for i := 0; i < len(n.Content); i += 2 {
		merges = merges || n.Content[i].Tag == "!!merge"
	}
	if !merges {
		return n.Content
	}
	var out []*Node
	has := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Tag != "!!merge" {
			out = append(out, n.Content[i], n.Content[i+1])
			has[n.Content[i].Value] = true
		}
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Tag != "!!merge" {
			continue
		}
		sources := []*Node{n.Content[i+1].FollowAlias()}
		if sources[0].Kind == SequenceNode {
			sources = sources[0].Content
		}
		for _, s := range sources {
			s = s.FollowAlias()
			if s.Kind != MappingNode {
				continue
			}
			add := s.Members()
			for j := 0; j < len(add); j += 2 {
				if !has[add[j].Value] {
					out = append(out, add[j], add[j+1])
					has[add[j].Value] = true
				}
			}
		}
	}
	return out
}
