package probe

import "testing"

var kept [][]byte

// TestAllocated: what is allocated once is in a cold call and not in a warm one.
func TestAllocated(t *testing.T) {
	if Race {
		t.Skip("-race: the race detector's own memory counts")
	}
	kept = make([][]byte, 0, 4)
	var once []byte
	f := func() {
		if once == nil {
			once = make([]byte, 1<<20)
		}
		kept = append(kept, make([]byte, 4096))
	}
	if size, objects := Cold(f); size < 1<<20+4096 || size > 1<<20+8192 || objects != 2 {
		t.Errorf("cold: %d bytes, %d objects, want 1 MiB and 4 KiB, 2", size, objects)
	}
	once = nil
	if size, objects := Warm(f); size != 4096 || objects != 1 {
		t.Errorf("warm: %d bytes, %d objects, want 4096, 1", size, objects)
	}
	if len(kept) != 3 {
		t.Errorf("%d calls, want 3", len(kept))
	}
}
