package lookml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/limits"
)

// findLastItem returns the last construct of a key, nil where there is none.
func (b *block) findLastItem(key string) *block {
	if b == nil {
		return nil
	}
	for _, item := range slices.Backward(b.items) {
		if item.key == key {
			return item
		}
	}
	return nil
}

// valueOfKey returns the value of a key, "" where there is none.
func (b *block) valueOfKey(key string) string {
	if item := b.findLastItem(key); item != nil {
		return item.node.Text
	}
	return ""
}

func (b *block) isYes(key string) bool { return strings.EqualFold(b.valueOfKey(key), "yes") }

// listValuesOfKey lists the values of a key that holds a name or a list of names.
func (b *block) listValuesOfKey(key string) []string {
	item := b.findLastItem(key)
	switch {
	case item == nil:
		return nil
	case !item.isList:
		return []string{item.node.Text}
	}
	var out []string
	for _, e := range item.list {
		out = append(out, e.node.Text)
	}
	return out
}

// overlayBlock puts the items of an extension or refinement over those of a block: a block with the
// same key and name is merged, all values and blocks without a name of a key are replaced by
// those that are written over them.
func overlayBlock(base, over *block) *block {
	out := &block{node: over.node, key: base.key, name: base.name, braces: true, items: slices.Clone(base.items)}
	out.items = slices.DeleteFunc(out.items, func(item *block) bool {
		return item.name == "" && slices.ContainsFunc(over.items, func(other *block) bool { return other.name == "" && other.key == item.key })
	})
	for _, item := range over.items {
		i := slices.IndexFunc(out.items, func(other *block) bool {
			return item.name != "" && other.key == item.key && strings.EqualFold(other.name, item.name)
		})
		if i >= 0 {
			out.items[i] = overlayBlock(out.items[i], item)
		} else {
			out.items = append(out.items, item)
		}
	}
	return out
}

// blockRegistry holds the blocks of one kind by name, in file order.
type blockRegistry struct {
	order    []string
	byName   map[string]*block
	resolved map[string]*block
	open     map[string]bool
	items    int // of all resolved blocks
}

func newBlockRegistry() *blockRegistry {
	return &blockRegistry{byName: map[string]*block{}, resolved: map[string]*block{}, open: map[string]bool{}}
}

// addOrRefineBlock adds a block, or refines one: its name begins with a plus sign then. The error is why
// it cannot.
func (r *blockRegistry) addOrRefineBlock(b *block) error {
	name, refines := strings.CutPrefix(b.name, "+")
	known := r.byName[name]
	switch {
	case name == "":
		return fmt.Errorf("it has no name")
	case refines && known == nil:
		return fmt.Errorf("it refines %s, which no file has", name)
	case refines:
		r.byName[name] = overlayBlock(known, b)
		r.byName[name].node = known.node
	case known != nil:
		return fmt.Errorf("another %s has the name", b.key)
	default:
		r.byName[name] = b
		r.order = append(r.order, name)
	}
	return nil
}

// resolveExtendedBlock returns a block with those that it extends, each before it.
func (r *blockRegistry) resolveExtendedBlock(name string) (*block, error) {
	if done := r.resolved[name]; done != nil {
		return done, nil
	}
	own := r.byName[name]
	if own == nil {
		return nil, fmt.Errorf("%s is not in the input", name)
	}
	if r.open[name] {
		return nil, fmt.Errorf("%s extends itself", name)
	}
	r.open[name] = true
	defer delete(r.open, name)
	out := own
	var base *block
	for _, parent := range append(own.listValuesOfKey("extends"), own.listValuesOfKey("extends__all")...) {
		from, err := r.resolveExtendedBlock(strings.TrimSuffix(parent, "*"))
		if err != nil {
			return nil, fmt.Errorf("it extends what cannot be resolved: %w", err)
		}
		if base == nil {
			base = from
		} else {
			base = overlayBlock(base, from)
		}
	}
	if base != nil {
		inherited := &block{node: own.node, key: own.key, name: own.name, braces: true}
		for _, item := range base.items {
			if item.key != "extension" && item.key != "extends" {
				inherited.items = append(inherited.items, item)
			}
		}
		out = overlayBlock(inherited, own)
		out.node = own.node
	}
	if r.items += len(out.items); r.items > limits.ModelNodes {
		return nil, fmt.Errorf("what extensions repeat is more than %d constructs", limits.ModelNodes)
	}
	r.resolved[name] = out
	return out, nil
}
