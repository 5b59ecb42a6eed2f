package parity

import (
	"encoding/binary"
	"errors"
	"reflect"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/tier"
)

// Set is a set of options to decode under.
type Set struct {
	Name    string
	Options decode.Options

	// NoInline switches decode's inline shortcut off.
	NoInline bool

	decoder *decode.Decoder
	raw     *decode.Decoder // the same with the Raw forms of its markers; nil without markers
}

// Sets are the sets that inputs are held under.
var Sets = func() []*Set {
	sets := []*Set{
		{Name: "default"},
		{Name: "no inline", NoInline: true},
		{Name: "alias input", Options: decode.Options{AliasInput: true}},
		{Name: "first wins", Options: decode.Options{DuplicateKeys: decode.FirstWins}},
		{Name: "last wins, any keys", Options: decode.Options{DuplicateKeys: decode.LastWins, MapKeys: decode.AnyKeys}},
		{Name: "any keys", Options: decode.Options{MapKeys: decode.AnyKeys}},
		{Name: "str or bin keys", Options: decode.Options{MapKeys: decode.StringOrBinKeys}},
		{Name: "allow invalid UTF-8", Options: decode.Options{UTF8: decode.AllowInvalidUTF8}},
		{Name: "replace invalid UTF-8", Options: decode.Options{UTF8: decode.ReplaceInvalidUTF8}},
		{Name: "markers", Options: decode.Options{Markers: Temporal(false)}},
		{Name: "markers, last wins, str or bin keys", Options: decode.Options{
			Markers: Temporal(false), DuplicateKeys: decode.LastWins, MapKeys: decode.StringOrBinKeys,
		}},
		{Name: "markers, first wins, any keys, alias input", Options: decode.Options{
			Markers: Temporal(false), DuplicateKeys: decode.FirstWins, MapKeys: decode.AnyKeys, AliasInput: true,
		}},
		{Name: "exts", Options: decode.Options{Exts: exts}},
		{Name: "tight limits", Options: decode.Options{
			Limits: bounds.Limits{MaxDepth: 4, MaxBytes: 150, MaxItems: 40},
		}},
	}
	for _, s := range sets {
		s.decoder = s.Options.Must()
		if s.Options.Markers != nil {
			o := s.Options
			o.Markers = Temporal(true)
			s.raw = o.Must()
		}
	}
	return sets
}()

// Find returns the set of that name, nil if there is none.
func Find(name string) *Set {
	for _, s := range Sets {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Decoder returns the decoder of the set.
func (s *Set) Decoder() *decode.Decoder { return s.decoder }

// shortcuts switches the shortcuts as the set has them until restore is called.
func (s *Set) shortcuts() (restore func()) { return tier.Set(tier.DecodeInline, !s.NoInline) }

// takesAnyKey reports whether maps have keys of type any even if all are str.
func (s *Set) takesAnyKey() bool { return s.Options.MapKeys == decode.AnyKeys }

// ext returns the Go type that the set gives to ext type typ.
func (s *Set) ext(typ int8) (e decode.ExtType, known bool) {
	for _, e := range s.Options.Exts {
		if e.Type == typ {
			return e, true
		}
	}
	return e, false
}

// Celsius is the Go type of an ext type of the set "exts".
type Celsius int16

var errCelsius = errors.New("not two bytes")

// exts are a timestamp of all seconds, an ext type with a Go type that takes two bytes
// only, and one that takes all.
var exts = []decode.ExtType{
	decode.TimestampExt(),
	{Type: 5, Go: reflect.TypeFor[Celsius](), Decode: func(data []byte) (any, error) {
		if len(data) != 2 {
			return nil, errCelsius
		}
		return Celsius(binary.BigEndian.Uint16(data)), nil
	}},
	{Type: -3, Decode: func(data []byte) (any, error) { return string(data), nil }},
}
