package samples

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"unicode/utf8"
)

// sums pins every document. A sum changes only with a deliberate change of its
// generator: figures measured before it are then no longer comparable.
var sums = map[string]struct {
	size int
	sum  string // of SHA-256, the first eight bytes
}{
	"a4":       {982, "885c652ae29c1d0b"},
	"a100":     {23406, "b3e2f5178a677f54"},
	"a1000":    {234236, "84b894ba7d27555d"},
	"b200":     {11284, "df5f2133827d3a48"},
	"twitter":  {398181, "a9d4aa17fabf91e7"},
	"citm":     {340484, "0dc0ac2de9c600a9"},
	"canada":   {1057037, "21489c522c98cac5"},
	"d_ints":   {1000005, "3cffdd2e1cee7951"},
	"d_floats": {900005, "c6a0f765488de460"},
	"d_strs":   {999881, "2b5fd637dc63ffc4"},
	"d_map":    {1487154, "53651963f905f919"},
	"e_ascii":  {1048581, "f70f61af6f3116e9"},
	"e_utf8":   {1048581, "19736e7d3e17c16a"},
	"e_bin":    {1048581, "d673c41514b21c94"},
	"f_deep":   {251, "08a808db8b6b6968"},
}

func TestDeterministic(t *testing.T) {
	all := All()
	if len(all) != len(sums) {
		t.Errorf("%d samples, %d sums", len(all), len(sums))
	}
	for _, s := range all {
		b := s.Make()
		sum := sha256.Sum256(b)
		got := hex.EncodeToString(sum[:8])
		if want := sums[s.Name]; len(b) != want.size || got != want.sum {
			t.Errorf("%q: {%d, %q}, want {%d, %q}", s.Name, len(b), got, want.size, want.sum)
		}
	}
}

// TestMakeTwice makes sure that no sample depends on what was made before it,
// and that nobody's changes to one reach another's.
func TestMakeTwice(t *testing.T) {
	for _, s := range All() {
		first := s.Make()
		sum := sha256.Sum256(first)
		clear(first)
		if sha256.Sum256(s.Make()) != sum {
			t.Errorf("%s differs when made again", s.Name)
		}
	}
}

func TestOneDocumentEach(t *testing.T) {
	for _, s := range All() {
		b := s.Make()
		if _, rest, err := shapeOf(b); err != nil || len(rest) != 0 {
			t.Errorf("%s: %d bytes left, %v", s.Name, len(rest), err)
		}
	}
}

func TestFind(t *testing.T) {
	for _, want := range All() {
		if got, ok := Find(want.Name); !ok || got.Name != want.Name {
			t.Errorf("Find(%q) = %q, %v", want.Name, got.Name, ok)
		}
	}
	if _, ok := Find("absent"); ok {
		t.Error("Find(absent) found something")
	}
}

func shapeNamed(t *testing.T, name string) shape {
	t.Helper()
	sample, ok := Find(name)
	if !ok {
		t.Fatalf("no sample %s", name)
	}
	s, _, err := shapeOf(sample.Make())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name          string
		values, depth int
		maps, arrays  int
	}{
		{"a100", 2009, 4, 101, 101},
		{"b200", 1803, 4, 401, 1},
		{"canada", 167187, 7, 4, 56045},
		{"d_ints", 1_000_001, 1, 0, 1},
		{"d_floats", 100_001, 1, 0, 1},
		{"d_strs", 100_001, 1, 0, 1},
		{"d_map", 200_001, 1, 1, 0},
		{"e_ascii", 1, 0, 0, 0},
		{"e_utf8", 1, 0, 0, 0},
		{"e_bin", 1, 0, 0, 0},
		{"f_deep", 201, 100, 50, 50},
	} {
		s := shapeNamed(t, c.name)
		if s.values != c.values || s.depth != c.depth || total(s.maps) != c.maps || total(s.arrays) != c.arrays {
			t.Errorf("%s: %d values, depth %d, %d maps, %d arrays; want %d, %d, %d, %d", c.name,
				s.values, s.depth, total(s.maps), total(s.arrays), c.values, c.depth, c.maps, c.arrays)
		}
	}
}

// TestLikeness keeps the samples that follow a well-known file within a tenth
// of what was counted there.
func TestLikeness(t *testing.T) {
	near := func(t *testing.T, what string, got, want int) {
		t.Helper()
		if got < want-want/10 || got > want+want/10 {
			t.Errorf("%d %s, want about %d", got, what, want)
		}
	}
	t.Run("twitter", func(t *testing.T) {
		near(t, "bytes", len(TwitterLike()), 401_510)
		s := shapeNamed(t, "twitter")
		near(t, "values", s.values, 27_259)
		near(t, "maps", total(s.maps), 1264)
		near(t, "maps of one pair", s.maps[1], 346)
		near(t, "authors", s.maps[39]+s.maps[40], 173)
		near(t, "strs", s.strs, 4754+13_345)
		near(t, "empty arrays", s.arrays[0], 746)
	})
	t.Run("citm", func(t *testing.T) {
		near(t, "bytes", len(CitmLike()), 342_473)
		s := shapeNamed(t, "citm")
		near(t, "values", s.values, 63_647)
		near(t, "maps of two pairs", s.maps[2], 9592)
		near(t, "maps of three pairs", s.maps[3], 907)
		near(t, "empty arrays", s.arrays[0], 8695)
	})
	t.Run("canada", func(t *testing.T) {
		near(t, "bytes", len(CanadaLike()), 1_057_119)
		s := shapeNamed(t, "canada")
		near(t, "pairs", s.arrays[2], 55_563)
		near(t, "floats", s.floats, 111_126)
	})
}

// TestBlobs checks that the text samples are what their names say.
func TestBlobs(t *testing.T) {
	const n = 1 << 16
	ascii, world := ASCII(n)[5:], UTF8(n)[5:]
	if len(ascii) != n || len(world) != n {
		t.Fatalf("%d and %d bytes, want %d", len(ascii), len(world), n)
	}
	widths := [utf8.UTFMax + 1]int{}
	for _, c := range string(ascii) {
		if c >= utf8.RuneSelf {
			t.Fatalf("%q in the ASCII sample", c)
		}
	}
	for _, c := range string(world) {
		widths[utf8.RuneLen(c)]++
	}
	if !utf8.Valid(world) {
		t.Error("the UTF-8 sample is not UTF-8")
	}
	for width, count := range widths[1:] {
		if count < n/256 {
			t.Errorf("%d characters of %d bytes", count, width+1)
		}
	}
	// Every length around a character's end, as the cut is made there.
	for n := range 200 {
		if b := text(streamUTF8, n, worldWords); len(b) != n || !utf8.ValidString(b) {
			t.Fatalf("%d bytes: %q", n, b)
		}
	}
}

func TestEveryFormatIsShown(t *testing.T) {
	s, rest, err := shapeOf(Formats())
	if err != nil || len(rest) != 0 {
		t.Fatal(err, len(rest))
	}
	families := map[string][2]int{
		"positive fixint": {0x00, 0x7f},
		"fixmap":          {0x80, 0x8f},
		"fixarray":        {0x90, 0x9f},
		"fixstr":          {0xa0, 0xbf},
		"negative fixint": {0xe0, 0xff},
	}
	for name, f := range families {
		for _, end := range f {
			if !s.markers[end] {
				t.Errorf("%s: no %#x", name, end)
			}
		}
	}
	for m := 0xc0; m <= 0xdf; m++ {
		if want := m != 0xc1; s.markers[m] != want {
			t.Errorf("marker %#x shown: %v", m, !want)
		}
	}
}
