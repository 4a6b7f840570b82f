package document

// Describe returns what a node holds, in words for the author of the text: "a list", "the number 3".
func (n *Node) Describe() string {
	switch n.Kind {
	case MappingNode:
		return "an object"
	case SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case "!!null":
		return "null"
	case "!!bool":
		return "the boolean " + n.Value
	case "!!int", "!!float":
		return "the number " + n.Value
	case "!!timestamp":
		return "the date " + n.Value
	case "!!str":
		return "a string"
	}
	return "a " + n.Tag
}
