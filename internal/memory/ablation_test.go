package memory

import (
	"reflect"
	"slices"
	"testing"
)

func TestEachAblationIsAnother(t *testing.T) {
	all := Ablations(SenseSettings{})
	for i, a := range all {
		if a.Off == "" || reflect.DeepEqual(a.Settings, SenseSettings{}) {
			t.Errorf("%q switches nothing off", a.Off)
		}
		for _, b := range all[:i] {
			if a.Off == b.Off || reflect.DeepEqual(a.Settings, b.Settings) {
				t.Errorf("%q and %q are the same", a.Off, b.Off)
			}
		}
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
