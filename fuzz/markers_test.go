package fuzz

import (
	"testing"

	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/parity"
)

func FuzzMarkers(f *testing.F) {
	for i, doc := range seeds(f) {
		f.Add(doc, uint8(0), uint16(0))
		f.Add(doc, uint8(i%16), uint16(derived(doc)>>53))
	}
	f.Fuzz(func(t *testing.T, data []byte, depth uint8, memory uint16) {
		if len(data) > maxSize {
			return
		}
		for _, s := range parity.Sets {
			if s.Options.Markers == nil {
				continue
			}
			o, withRaw := s.Options, s.Options
			withRaw.Markers = parity.Temporal(true)
			if _, err := o.Must().Any(data); err == nil {
				if value, raw := charged(data, o), charged(data, withRaw); value != raw {
					t.Fatalf("%s: charged %d, with Raw forms %d\n%s", s.Name, value, raw, parity.Dump(data))
				}
			}
			o.Limits.MaxDepth = int(depth)
			o.Limits.MaxMemory = int64(memory)
			v, err := o.Must().Any(data)
			withRaw.Limits = o.Limits
			raw, rawErr := withRaw.Must().Any(data)
			if !parity.Same(err, rawErr) {
				t.Fatalf("%s: %v, with Raw forms %v\n%s", s.Name, err, rawErr, parity.Dump(data))
			}
			if diff := parity.Diff(v, raw); diff != "" {
				t.Fatalf("%s: with Raw forms v%s\n%s", s.Name, diff, parity.Dump(data))
			}
		}
	})
}

// counted returns the temporal markers, whose Raw forms count in n the maps they take.
func counted(n *int) []decode.Marker {
	markers := parity.Temporal(true)
	for i := range markers {
		raw := markers[i].Raw
		markers[i].Raw = func(doc []byte) (any, bool) {
			v, ok := raw(doc)
			if ok {
				*n++
			}
			return v, ok
		}
	}
	return markers
}

// TestRawRuns proves that the Raw forms take maps.
func TestRawRuns(t *testing.T) {
	taken := 0
	d := decode.Options{Markers: counted(&taken)}.Must()
	doc := hexdoc.Must("92 82 ac5f5f6461746574696d655f5f c3 a576616c7565 aa323032352d31312d3134" +
		"82 a576616c7565 a831303a33303a3030 a85f5f74696d655f5f c3")
	if _, err := d.Any(doc); err != nil || taken != 2 {
		t.Errorf("%d maps taken, %v, want 2", taken, err)
	}
}
