package decode

import (
	"fmt"
	"reflect"

	"github.com/boundpack/boundpack/bounds"
)

// DuplicateKeys says what becomes of a map key that is given twice.
type DuplicateKeys uint8

// The choices of [DuplicateKeys].
const (
	RefuseDuplicates DuplicateKeys = iota // ErrDuplicateKey at the second key
	LastWins                              // the later value
	FirstWins                             // the earlier value
)

// MapKeys says which map keys are taken into any, and what type the map has.
type MapKeys uint8

// The choices of [MapKeys]. Keys of other kinds than those named are refused with
// [ErrKeyType]; array, map, ext and NaN keys always are.
const (
	// StringKeys takes str keys only; maps are map[string]any.
	StringKeys MapKeys = iota

	// StringOrBinKeys takes str and bin keys. A map with a bin key is a
	// map[any]any whose keys are string and [Bin]; any other is a map[string]any.
	StringOrBinKeys

	// AnyKeys takes str, bin, int, float, bool and nil keys. Every map is a
	// map[any]any whose keys are string, [Bin], int64 (uint64 above
	// math.MaxInt64), float64, bool and nil. An integer is one key however it is
	// encoded, and so are 0.0 and -0.0; an integer and a float never are.
	AnyKeys
)

// UTF8Policy says what becomes of a str that is not valid UTF-8, map keys included.
type UTF8Policy uint8

// The choices of [UTF8Policy].
const (
	RefuseInvalidUTF8  UTF8Policy = iota // ErrUTF8 at the first invalid byte
	AllowInvalidUTF8                     // the bytes as they are
	ReplaceInvalidUTF8                   // U+FFFD for each invalid byte
)

// Marker replaces maps that stand for another value.
type Marker struct {
	// Key is the key that makes a map a candidate: a map is offered if all its keys
	// are str and Key is one of them.
	Key string

	// Value returns the value that m stands for. ok = false declines: the map is
	// offered to the next marker, and stays a map if all decline. An error refuses
	// the document with [ErrHook] at the map's header. m is Value's to keep. What
	// Value allocates is outside MaxMemory.
	Value func(m map[string]any) (v any, ok bool, err error)

	// Go, optional, is the type of the values that Value returns. A map that is decoded
	// into a target of a type that Go is assignable to, and that is no interface, is then
	// this marker's to make: if what comes of it is something else, the document is
	// refused with [ErrType]. Without Go the marker is for targets of type any, and for
	// interfaces that its values implement.
	Go reflect.Type

	// Raw, optional, is asked before the map is built, to save building it. It gets
	// the bytes of a map of one to four pairs whose keys are different strs and
	// whose values are no array or map, and either returns what Value would, or
	// declines; then the map is built and Value is asked. doc is valid during the
	// call only. The map is charged as if it were built.
	Raw func(doc []byte) (v any, ok bool)
}

// MarkerOf returns m as the marker of values of type T.
func MarkerOf[T any](m Marker) Marker {
	m.Go = reflect.TypeFor[T]()
	return m
}

// ExtType gives an ext type a Go type.
type ExtType struct {
	// Type is the ext type. Giving -1 replaces the decoding of timestamps to
	// time.Time: see [TimestampExt].
	Type int8

	// Go is the type of the values that Decode returns; nil for various.
	Go reflect.Type

	// Decode returns the value of an ext with the content data, which is valid
	// during the call only. An error refuses the document with [ErrHook] at the
	// ext's header; so does a value of another type than Go. What Decode allocates
	// is outside MaxMemory.
	Decode func(data []byte) (any, error)
}

// Options configure a [Decoder]. The zero Options is the default: every limit at
// its default, and every policy at its strictest.
type Options struct {
	// Limits bound each document. Zero fields are the defaults of package bounds.
	Limits Limits

	// DuplicateKeys says what becomes of a map key that is given twice. Default
	// [RefuseDuplicates].
	DuplicateKeys DuplicateKeys

	// MapKeys says which map keys are taken into any. Default [StringKeys].
	MapKeys MapKeys

	// UTF8 says what becomes of a str that is not valid UTF-8. Default
	// [RefuseInvalidUTF8].
	UTF8 UTF8Policy

	// RefuseUnknownFields refuses a map key that names no field of the struct it is
	// decoded into with [ErrUnknownField]. Default: such values are skipped, within
	// limits and their strs checked.
	RefuseUnknownFields bool

	// ExactFloats refuses a float 64 that a float32 target would round, with
	// [ErrInexact]. Default: it is rounded.
	ExactFloats bool

	// WholeFloats lets an int target take a float that is a whole number; any other
	// is refused with [ErrInexact]. Default: a float into an int is [ErrType].
	WholeFloats bool

	// Tags are the keys of struct tags, the first that a field has counts. Default
	// {"msgpack"}. See the package documentation for what a tag may say.
	Tags []string

	// AliasInput lets strings and []byte values be parts of the input instead of
	// copies. Any one of them then keeps the whole input alive, and the input must
	// not be changed as long as a value is in use. Charges stay the same.
	AliasInput bool

	// Markers replace maps that stand for another value, tried in order. Default
	// none.
	Markers []Marker

	// Exts give ext types Go types; all others become [Ext]. Default none.
	Exts []ExtType
}

// New returns a Decoder with these options; later changes to o do not reach it. The
// error is [ErrOptions] and names what is out of range or contradictory.
func (o Options) New() (*Decoder, error) {
	limits, err := o.Limits.Resolve()
	if err != nil {
		return nil, err
	}
	switch {
	case o.DuplicateKeys > FirstWins:
		return nil, fmt.Errorf("%w: DuplicateKeys is %d", bounds.ErrOptions, o.DuplicateKeys)
	case o.MapKeys > AnyKeys:
		return nil, fmt.Errorf("%w: MapKeys is %d", bounds.ErrOptions, o.MapKeys)
	case o.UTF8 > ReplaceInvalidUTF8:
		return nil, fmt.Errorf("%w: UTF8 is %d", bounds.ErrOptions, o.UTF8)
	}
	d := &Decoder{
		limits: limits, duplicates: o.DuplicateKeys, keys: o.MapKeys, utf8: o.UTF8, alias: o.AliasInput,
		markers: append([]Marker(nil), o.Markers...), plans: standardPlans,
		refuseUnknown: o.RefuseUnknownFields, exactFloats: o.ExactFloats, wholeFloats: o.WholeFloats,
	}
	if len(o.Tags) > 0 {
		d.plans = &plans{tags: append([]string(nil), o.Tags...)}
	}
	for i, m := range d.markers {
		if m.Value == nil {
			return nil, fmt.Errorf("%w: Markers[%d] has no Value", bounds.ErrOptions, i)
		}
		d.rawMarkers = d.rawMarkers || m.Raw != nil
	}
	for i, e := range o.Exts {
		if e.Decode == nil {
			return nil, fmt.Errorf("%w: Exts[%d] has no Decode", bounds.ErrOptions, i)
		}
		if _, twice := d.exts[e.Type]; twice {
			return nil, fmt.Errorf("%w: Exts[%d] gives type %d again", bounds.ErrOptions, i, e.Type)
		}
		if d.exts == nil {
			d.exts = make(map[int8]ExtType, len(o.Exts))
		}
		d.exts[e.Type] = e
	}
	return d, nil
}

// Must is [Options.New] for package variables: it panics on an error.
func (o Options) Must() *Decoder {
	d, err := o.New()
	if err != nil {
		panic(err)
	}
	return d
}

// Decoder decodes documents under one set of options. It is created by
// [Options.New], immutable, and safe for concurrent use.
type Decoder struct {
	limits     Limits
	duplicates DuplicateKeys
	keys       MapKeys
	utf8       UTF8Policy
	alias      bool
	rawMarkers bool // a marker has a Raw form
	markers    []Marker
	exts       map[int8]ExtType
	plans      *plans

	refuseUnknown, exactFloats, wholeFloats bool
}

// standardPlans are the plans of all decoders with the default tags.
var standardPlans = &plans{tags: []string{"msgpack"}}

var standard = Options{}.Must()
