package describe

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// Dataset describes one dataset.
type Dataset struct {
	Name       string     `json:"name"`
	Source     string     `json:"source"` // a table, or the text of a query
	PrimaryKey []string   `json:"primary_key"`
	UniqueKeys [][]string `json:"unique_keys,omitempty"`
	Fields     int        `json:"fields"`
	// TimeDimensions are qualified names, and so is the primary one.
	TimeDimensions       []string `json:"time_dimensions"`
	PrimaryTimeDimension string   `json:"primary_time_dimension,omitempty"`
	Label                string   `json:"label,omitempty"` // for people
	Description          string   `json:"description,omitempty"`
	AIContext            any      `json:"ai_context,omitempty"`
}

// Datasets lists the datasets in the order of the model.
func (d *Describer) Datasets() []Dataset {
	shown := d.catalog.ShownDatasets()
	out := make([]Dataset, 0, len(shown))
	hidesSources, isShown := d.hidesSources, d.catalog.Shows
	for _, d := range shown {
		info := Dataset{
			Name:           d.Name,
			PrimaryKey:     []string{},
			TimeDimensions: []string{},
			Label:          d.Label,
			Description:    d.Description,
			AIContext:      d.AIContext,
		}
		if !hidesSources {
			info.Source = d.Source.Text()
		}
		if !isHiddenKey(d, d.PrimaryKey) {
			info.PrimaryKey = append(info.PrimaryKey, d.PrimaryKey...)
		}
		for _, key := range d.UniqueKeys {
			if !isHiddenKey(d, key) {
				info.UniqueKeys = append(info.UniqueKeys, key)
			}
		}
		for _, f := range d.Fields {
			if !isShown(f) {
				continue
			}
			if info.Fields++; f.IsTime {
				info.TimeDimensions = append(info.TimeDimensions, f.QualifiedName())
			}
		}
		if d.PrimaryTime != nil && isShown(d.PrimaryTime) {
			info.PrimaryTimeDimension = d.PrimaryTime.QualifiedName()
		}
		out = append(out, info)
	}
	return out
}

// isHiddenKey reports whether a reader of the catalog does not see a field that a column of a key is.
func isHiddenKey(d *catalog.Dataset, key []string) bool {
	return slices.ContainsFunc(key, func(column string) bool {
		f := d.FieldOfKeyColumn(column)
		return f != nil && d.VisibleField(f) == nil
	})
}
