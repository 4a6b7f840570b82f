package window

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
)

// windowLayers sorts some windows among measure references into layers, of which each reads those before it: an offset comes after the windows
// that it moves.
func windowLayers(refs []*measure.Ref, isAdded func(*measure.Ref) bool) [][]int {
	var layers [][]int
	layerOf := map[int]int{}
	for i, u := range refs {
		if !isAdded(u) {
			continue
		}
		layer := 0
		for _, e := range []sqlexpr.Expr{u.Window.Base.Expr, u.Window.Current} {
			for r := range sqlexpr.Refs(e) {
				if refs[r.ID].Window != nil {
					layer = max(layer, layerOf[r.ID]+1)
				}
			}
		}
		layerOf[i] = layer
		if layer == len(layers) {
			layers = append(layers, nil)
		}
		layers[layer] = append(layers[layer], i)
	}
	return layers
}
