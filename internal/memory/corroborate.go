package memory

import (
	"strings"
	"time"
)

// Corroborate records a source label, duplicates too (contract/history.md 1.3).
// An archive memory whose gate is then satisfied becomes testimony. id names the
// new row. What could not use the memory until now is marked first.
func Corroborate(x Subject, source string, id ID, now time.Time) (Plan, error) {
	m, plan, err := x.begin(now, given{"source", source})
	if err != nil {
		return Plan{}, err
	}
	plan.Join(x.hurt(whyEvidence, now))
	plan.Write(PutCorroboration{Corroboration{ID: id, MemoryID: m.ID, Source: source, At: now}})
	plan.Record(m.ID, ActCorroborate, "source: "+source, now)
	if m.Tier == Archive && Gate(m.Source, append(x.Labels[:len(x.Labels):len(x.Labels)], source)).Satisfied {
		m.Tier = Testimony
		plan.Write(PutMemory{m})
		plan.Record(m.ID, ActCorroborateUpgrade, "an independent source confirms it: "+source, now)
	}
	return plan, nil
}

// ProvenanceView is where a memory comes from and how well it is corroborated.
// Labels are what callers said; nobody verified that they are independent.
type ProvenanceView struct {
	MemoryID    ID
	Tier        Tier
	Source      *string
	OriginKnown bool // the memory names a source that is not blank
	Standing    Standing
	Warning     string // "" when there is none
}

// Provenance reads where a memory comes from.
func Provenance(m Memory, labels []string) ProvenanceView {
	v := ProvenanceView{MemoryID: m.ID, Tier: m.Tier, Source: m.Source, Standing: Gate(m.Source, labels),
		OriginKnown: m.Source != nil && strings.TrimSpace(*m.Source) != ""}
	if m.Tier == Testimony && v.Standing.Count == 0 {
		v.Warning = "This memory has tier testimony without an independent corroborating source; it was made before corroboration was required."
	}
	return v
}
