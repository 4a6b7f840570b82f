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

// FirstBadKey returns the first key of a mapping that is not a scalar, or that the mapping has already; earlier is then
// the key before it. It compares few keys by pairs and many by a set: objects have few.
func (n *Node) FirstBadKey() (key, earlier *Node) {
	var seen map[string]*Node
	if len(n.Content) > 40 {
		seen = make(map[string]*Node, len(n.Content)/2)
	}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != ScalarNode {
			return key, nil
		}
		if seen != nil {
			if earlier := seen[key.Value]; earlier != nil {
				return key, earlier
			}
			seen[key.Value] = key
			continue
		}
		for j := 0; j < i; j += 2 {
			if n.Content[j].Value == key.Value {
				return key, n.Content[j]
			}
		}
	}
	return nil, nil
}
