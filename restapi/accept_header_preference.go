package restapi

import (
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
)

// wantsArrow reports whether the Accept header names the Arrow stream type and does not
// prefer JSON. A client that sends only wildcards gets JSON.
func wantsArrow(c *fiber.Ctx) bool {
	arrow, json, wild := mediaPreference{}, mediaPreference{}, mediaPreference{}
	place := 0
	for _, line := range c.Request().Header.PeekAll(fiber.HeaderAccept) {
		for part := range strings.SplitSeq(string(line), ",") {
			media, parameters, _ := strings.Cut(part, ";")
			p := mediaPreference{parseQuality(parameters), place}
			place++
			switch strings.ToLower(strings.TrimSpace(media)) {
			case engine.ArrowStreamType:
				arrow.preferHigherQuality(p)
			case fiber.MIMEApplicationJSON:
				json.preferHigherQuality(p)
			case "application/*", "*/*":
				wild.preferHigherQuality(p)
			}
		}
	}
	if json.quality == 0 {
		// A named type precedes a wildcard, in any order.
		return arrow.quality > 0 && arrow.quality >= wild.quality
	}
	return arrow.quality > json.quality || arrow.quality == json.quality && arrow.place < json.place
}

// mediaPreference is the quality of a media type in thousandths, and its position in the header.
type mediaPreference struct{ quality, place int }

func (p *mediaPreference) preferHigherQuality(by mediaPreference) {
	if by.quality > p.quality {
		*p = by
	}
}

// parseQuality reads the weight among the parameters of a media range: 1 if it is missing, 0 if
// it is not a weight.
func parseQuality(parameters string) int {
	const whole = 1000
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return 0
		}
		return int(q*whole + 0.5)
	}
	return whole
}
