package decode

import "reflect"

// Ext is an ext of a type that has no Go type of its own.
type Ext struct {
	Type int8
	Data []byte // never nil
}

// Bin is a bin key of a map[any]any: a type of its own, so that the bin key "a" and
// the str key "a" are two keys.
type Bin string

// TimestampExt returns the [ExtType] that decodes the timestamp ext to [Timestamp]
// instead of time.Time, so that no second is refused.
func TimestampExt() ExtType {
	return ExtType{Type: timestampType, Go: reflect.TypeFor[Timestamp](), Decode: func(data []byte) (any, error) {
		t, err := ParseTimestamp(data)
		return t, err
	}}
}
