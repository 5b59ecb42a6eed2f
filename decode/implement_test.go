package decode

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
)

// TestInterfacesRefuseFirst: what can have no methods is refused for an interface that has
// some where it begins, whatever is wrong inside it.
func TestInterfacesRefuseFirst(t *testing.T) {
	small := Options{Limits: bounds.Limits{MaxMemory: 175}}.Must()
	type holder struct {
		E error `msgpack:"e,limit=9"`
	}
	for _, c := range []struct {
		hex    string
		target any
		off    int
		reason error
	}{
		{"91a1ff", new(error), 0, bounds.ErrType},
		{"a1ff", new(error), 0, bounds.ErrType},
		{"82a16101a16102", new(error), 0, bounds.ErrType},
		{"9181a9616263646566676869c0", new(error), 0, bounds.ErrType},
		{"c3", new(error), 0, bounds.ErrType},
		{"07", new(fmt.Stringer), 0, bounds.ErrType},
		{"cb3ff0000000000000", new(error), 0, bounds.ErrType},
		{"c401ff", new(error), 0, bounds.ErrType},
		{"9191a1ff", new([]error), 1, bounds.ErrType},
		{"81a16b91a1ff", new(map[string]error), 3, bounds.ErrType},
		{"81a16591a1ff", new(holder), 3, bounds.ErrType},
		{"d40500", new(error), 0, bounds.ErrType}, // an ext that nobody registered has no Error
		// Structure is before meaning.
		{"92a1ff", new(error), 1, bounds.ErrOwed},
		{"91c1", new(error), 1, bounds.ErrReserved},
	} {
		for name, d := range map[string]*Decoder{"default": Options{}.Must(), "small": small} {
			if d == small && reflect.TypeOf(c.target).Elem().Kind() != reflect.Interface {
				continue // what holds the interface is too much already
			}
			err := d.Unmarshal(hexdoc.Must(c.hex), c.target)
			if off, ok := offsetOf(err); !ok || off != c.off || !errors.Is(err, c.reason) {
				t.Errorf("%s, %s into %T: %v, want %v at %d", name, c.hex, c.target, err, c.reason, c.off)
			}
		}
	}
	e := errors.New("old")
	if err := Unmarshal(hexdoc.Must("c0"), &e); err != nil || e != nil {
		t.Errorf("nil: %v, %v", e, err)
	}
	var s fmt.Stringer
	if err := Unmarshal(hexdoc.Must("d6ff00000001"), &s); err != nil || reflect.TypeOf(s).String() != "time.Time" {
		t.Errorf("a timestamp: %v, %v", s, err)
	}
}

// TestPresetsInFieldsNamedTwice: what was in a field before outlives only the first value.
func TestPresetsInFieldsNamedTwice(t *testing.T) {
	type inner struct{ A, B int }
	type outer struct{ I inner }
	for duplicates, want := range map[DuplicateKeys]outer{LastWins: {inner{0, 2}}, FirstWins: {inner{1, 6}}} {
		v := outer{inner{5, 6}}
		err := Options{DuplicateKeys: duplicates}.Must().Unmarshal(hexdoc.Must("82 a14981a14101 a14981a14202"), &v)
		if err != nil || v != want {
			t.Errorf("%v: %+v, %v, want %+v", duplicates, v, err, want)
		}
	}
}

func offsetOf(err error) (int, bool) {
	var d *Error
	if errors.As(err, &d) {
		return int(d.Offset), true
	}
	var b *bounds.Error
	if errors.As(err, &b) {
		return int(b.Offset), true
	}
	return 0, false
}
