package tools

import "slices"

// aliases are the other names of parameters. They work in every profile and
// stand in no schema (contract/surface.md 1, 2, 3 and 9).
var aliases = map[string]string{
	"content":  "text",
	"limit":    "k",
	"event_at": "at",
}

// idNames are the parameters that answer to `id` when a tool has just one of them.
var idNames = []string{"memory_id", "claim_id", "narrative_id", "conflict_id", "link_id", "evidence_id", "recollection_id"}

// aliasOf gives the alias of a parameter of a tool, "" when there is none or
// when the tool has a parameter of that name.
func aliasOf(params []param, p param) string {
	alias := aliases[p.name]
	if slices.Contains(idNames, p.name) {
		alias = "id"
		for _, other := range params {
			if other.name != p.name && slices.Contains(idNames, other.name) {
				return ""
			}
		}
	}
	for _, other := range params {
		if other.name == alias {
			return ""
		}
	}
	return alias
}
