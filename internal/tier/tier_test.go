package tier

import "testing"

func TestSet(t *testing.T) {
	for _, s := range All() {
		if !On(s) {
			t.Errorf("%v is off before any test switched it", s)
		}
		outer := Set(s, false)
		if On(s) {
			t.Errorf("%v is on, after Set to off", s)
		}
		inner := Set(s, true)
		if !On(s) {
			t.Errorf("%v is off, after Set to on", s)
		}
		if inner(); On(s) {
			t.Errorf("%v is on, after it was put back to off", s)
		}
		same := Set(s, false)
		if same(); On(s) {
			t.Errorf("%v is on, after off was put back to off", s)
		}
		if outer(); !On(s) {
			t.Errorf("%v is off, after it was put back to on", s)
		}
	}
}

// TestSetIsOfOne: switching one shortcut leaves the others alone.
func TestSetIsOfOne(t *testing.T) {
	for _, s := range All() {
		restore := Set(s, false)
		for _, other := range All() {
			if On(other) != (other != s) {
				t.Errorf("with %v off, %v is on: %v", s, other, On(other))
			}
		}
		restore()
	}
}

func TestCounted(t *testing.T) {
	for _, s := range All() {
		Count(s, 5) // no one counts
		n := Counted(s, func() {
			Count(s, 2)
			Count(s, 3)
			for _, other := range All() {
				if other != s {
					Count(other, 100)
				}
			}
		})
		if n != 5 {
			t.Errorf("%v: counted %d, want 5", s, n)
		}
		Count(s, 7)
		if n := Counted(s, func() {}); n != 0 {
			t.Errorf("%v: counted %d of nothing", s, n)
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range All() {
		if s.String() == "" || seen[s.String()] {
			t.Errorf("shortcut %d is called %q", s, s)
		}
		seen[s.String()] = true
	}
	if len(seen) == 0 {
		t.Error("there are no shortcuts")
	}
}

// TestKernels: Go is always offered and the best set is in use, until a test uses another.
func TestKernels(t *testing.T) {
	sets := Offered()
	if sets[0] != Go || InUse() != sets[len(sets)-1] {
		t.Errorf("offered are %v, in use is %v", sets, InUse())
	}
	was := InUse()
	for _, k := range sets {
		restore := Use(k)
		if InUse() != k {
			t.Errorf("%v is in use, not %v", InUse(), k)
		}
		if restore(); InUse() != was {
			t.Errorf("%v is in use, not %v as before", InUse(), was)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a set that nobody has can be used")
		}
	}()
	Use(NEON + 1)
}
