package memory

import (
	"slices"
	"testing"
)

func TestEachAblationSwitchesOffOnePart(t *testing.T) {
	var parts Part
	names := map[string]bool{}
	for _, a := range Ablations(SenseSettings{}) {
		names[a.Off] = true
		if parts.has(a.Settings.Without) {
			t.Errorf("%s is switched off twice", a.Off)
		}
		parts |= a.Settings.Without
		changed := 0
		for _, c := range []bool{a.Settings.Without != 0, a.Settings.Channels != nil, a.Settings.Unfamiliar} {
			if c {
				changed++
			}
		}
		if changed != 1 || a.Settings.Without&(a.Settings.Without-1) != 0 {
			t.Errorf("%s: %+v", a.Off, a.Settings)
		}
	}
	if parts != PartBudget<<1-1 {
		t.Errorf("parts %b are measured", parts)
	}
	if len(names) != len(Ablations(SenseSettings{})) {
		t.Error("two ablations have one name")
	}
}

func TestChannelsButOne(t *testing.T) {
	if got := channelsBut(nil, ChannelTime); len(got) != 5 || slices.Contains(got, ChannelTime) {
		t.Errorf("%v", got)
	}
	if got := channelsBut([]Channel{ChannelGeo, ChannelTime}, ChannelTime); !slices.Equal(got, []Channel{ChannelGeo}) {
		t.Errorf("%v", got)
	}
}
