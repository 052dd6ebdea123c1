package memory

import (
	"slices"
	"testing"
	"time"
)

func TestCorroborateGuards(t *testing.T) {
	verb := func(w *world) (err error) { w.plan, err = Corroborate(w.x, w.reason, "k1", noon); return err }
	w := newWorld()
	walk(t, w, verb, []guard{
		{code: CodeInvalid, keyword: "source is required and cannot be empty", hint: "corroborate", mend: func(w *world) { w.reason = " Bea " }},
		needsMemory(be(note())),
	}, "corroborate m1: source:  Bea ", "corroborate_upgrade m1: an independent source confirms it:  Bea ")
	row := changesOf[PutCorroboration](w.plan)[0].Corroboration
	if row != (Corroboration{"k1", "m1", " Bea ", noon}) {
		t.Errorf("recorded %+v", row)
	}
	if m := put(t, w.plan); m.Tier != Testimony {
		t.Errorf("tier %s", m.Tier)
	}
}

func TestCorroborateUpgradesOnlyArchiveWhoseGateOpens(t *testing.T) {
	unknown := note()
	unknown.Source = nil
	testimony := note()
	testimony.Tier = Testimony
	for name, c := range map[string]struct {
		m      *Memory
		labels []string
		source string
		rises  bool
	}{
		"own source":              {note(), nil, " Ada", false},
		"another source":          {note(), nil, "Bea", true},
		"unknown origin, one":     {unknown, nil, "Bea", false},
		"unknown origin, twice":   {unknown, []string{"Bea"}, "Bea ", false},
		"unknown origin, another": {unknown, []string{"Bea"}, "Cid", true},
		"interpretation":          {interpretation(time.Hour), nil, "Bea", false},
		"testimony already":       {testimony, []string{"Bea"}, "Cid", false},
	} {
		labels := append(make([]string, 0, 4), c.labels...)
		plan, err := Corroborate(Subject{ID: "m1", Memory: c.m, Labels: labels}, c.source, "k1", noon)
		if rose := len(changesOf[PutMemory](plan)) == 1; err != nil || rose != c.rises || (len(plan.Audit) == 2) != c.rises {
			t.Errorf("%s: %v, upgraded %v, audit %q; want %v", name, err, rose, auditOf(plan), c.rises)
		}
		if spare := labels[:len(labels)+1]; len(changesOf[PutCorroboration](plan)) != 1 || spare[len(labels)] != "" {
			t.Errorf("%s: the label was not recorded, or the facts were changed", name)
		}
	}
}

func TestCorroborateMarksWhatCouldNotUseIt(t *testing.T) {
	gone := note()
	gone.ForgottenAt = ptr(noon)
	plan, _ := Corroborate(Subject{ID: "m1", Memory: gone, Dependents: citing()}, "Ada", "k1", noon)
	if got, want := auditOf(plan), append(marksAll(whyEvidence), "corroborate m1: source: Ada"); !slices.Equal(got, want) {
		t.Errorf("forgotten: %q, want %q", got, want)
	}
	plan, _ = Corroborate(Subject{ID: "m1", Memory: note(), Labels: []string{"Bea"}, Dependents: citing()}, "Cid", "k1", noon)
	if got := plan.Audit[0].Action; got != ActCorroborate {
		t.Errorf("usable by all: the first row is %s", got)
	}
	troubled := citing()
	troubled.Troubled = map[ID]bool{"c1": true}
	plan, _ = Corroborate(Subject{ID: "m1", Memory: note(), Labels: []string{"Bea"}, Dependents: troubled}, "Cid", "k1", noon)
	if got := auditOf(plan); len(got) != 5 || got[0] != "claim_source_changed c1: memory=m1: "+whyEvidence {
		t.Errorf("a claim with another source in trouble: %q", got)
	}
}

func TestProvenance(t *testing.T) {
	blank := note()
	blank.Source, blank.Tier = ptr("  "), Testimony
	v := Provenance(*blank, []string{"Bea", " Bea", ""})
	if v.OriginKnown || v.Standing.Count != 0 || v.Standing.Satisfied || v.Warning == "" || !slices.Equal(v.Standing.Labels, []string{"Bea"}) {
		t.Errorf("legacy testimony: %+v", v)
	}
	v = Provenance(*note(), []string{"Cid", "Bea"})
	if !v.OriginKnown || v.Standing.Count != 2 || !v.Standing.Satisfied || v.Warning != "" || v.MemoryID != "m1" || v.Tier != Archive || *v.Source != "Ada" {
		t.Errorf("known origin: %+v", v)
	}
}
