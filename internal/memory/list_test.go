package memory

import (
	"strings"
	"testing"
)

func TestCheckListGuards(t *testing.T) {
	in := ListInput{Tier: ptr("gossip"), Status: ptr("lost"), Near: &Near{Lat: 91}, Since: ptr("soon"), Until: ptr("2024-01-01T00:00:00Z")}
	for _, step := range []struct {
		keyword string
		mend    func()
	}{
		{"tier must be one of archive, testimony, interpretation", func() { in.Tier = ptr("archive") }},
		{"status must be one of working, consolidated", func() { in.Status = ptr("working") }},
		{"near", func() { in.Near.Lat = 90 }},
		{"timestamp", func() { in.Since = ptr("2024-01-02T00:00:00Z") }},
		{"since must", func() { in.Since = ptr("2024-01-01T00:00:00Z") }},
	} {
		_, err := checkList(in)
		if CodeOf(err) != CodeInvalid || !strings.Contains(err.Error(), step.keyword) || err.(*Error).Hint == "" {
			t.Errorf("%v, want a hint and %q", err, step.keyword)
		}
		step.mend()
	}
	f, err := checkList(in)
	if err != nil || *f.Tier != Archive || *f.Status != Working || f.Forgotten != ActiveOnly || !f.Since.Equal(*f.Until) {
		t.Errorf("%v, %+v", err, f)
	}
	in.IncludeForgotten = true
	if f, _ := checkList(in); f.Forgotten != ActiveAndForgotten {
		t.Errorf("include_forgotten: %v", f.Forgotten)
	}
}

func TestCheckTimelineGuards(t *testing.T) {
	in := TimelineInput{Limit: -1, Since: ptr("soon")}
	if _, _, err := checkTimeline(in); CodeOf(err) != CodeInvalid || !strings.Contains(err.Error(), "limit must be") {
		t.Errorf("the limit comes first: %v", err)
	}
	in.Limit = MaxList + 1
	if _, _, err := checkTimeline(in); CodeOf(err) != CodeInvalid || !strings.Contains(err.Error(), "timestamp") {
		t.Errorf("then the times: %v", err)
	}
	in.Since = nil
	if out, _, err := checkTimeline(in); err != nil || len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], "1000") {
		t.Errorf("a limit above the most: %v, %q", err, out.Warnings)
	}
}

func TestCheckAudit(t *testing.T) {
	in := AuditInput{Action: ptr("remember"), Since: ptr("soon"), Cursor: "x", Limit: 5}
	if _, err := checkAudit(in); CodeOf(err) != CodeInvalid || !strings.Contains(err.Error(), "timestamp") {
		t.Errorf("times come first: %v", err)
	}
	in.Since = nil
	if _, err := checkAudit(in); CodeOf(err) != CodeInvalid || !strings.Contains(err.Error(), "cursor") {
		t.Errorf("then the cursor: %v", err)
	}
	in.Cursor = place{at: noon, sequence: 7}.encode(in.query())
	q, err := checkAudit(in)
	if err != nil || !q.Captures || q.Limit != 6 || q.Before.Sequence != 7 || !q.Before.At.Equal(noon) {
		t.Errorf("%v, %+v: want one row more than a page, behind the cursor, captures because they are asked for by name", err, q)
	}
}
