package extension

import (
	"slices"
	"strings"
	"testing"
)

func TestShapeOn_HasEveryKeyOfTheRegistry(t *testing.T) {
	for _, k := range AllKeyDefinitions() {
		at := PayloadShape(k.Carrier)
		for _, name := range strings.Split(k.Name, ".") {
			if at.Item != nil {
				at = *at.Item // of a period, whose name is free
			}
			members := at.Members
			for _, form := range at.Forms {
				members = append(slices.Clip(members), form.Members...)
			}
			i := slices.IndexFunc(members, func(m ObjectMemberDefinition) bool { return m.Name == name })
			if i < 0 {
				t.Fatalf("%s on a %s has no shape", k.Name, k.Carrier)
			}
			at = members[i].Shape
		}
	}
}
