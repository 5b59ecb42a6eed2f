package contend

import (
	"fmt"
	"reflect"

	"github.com/boundpack/boundpack/benchmarks/internal/contend/types"
	"github.com/boundpack/boundpack/benchmarks/internal/contend/types/generated"
	"github.com/boundpack/boundpack/decode"
	"github.com/ugorji/go/codec"
	"github.com/vmihailenco/msgpack/v5"
)

// typedWorkloads returns the workloads that decode into Go types, one for each type.
func typedWorkloads() []Workload {
	return []Workload{
		typed[types.Page, generated.Page]("struct", "a4", "a100", "a1000"),
		typed[types.Log, generated.Log]("dates", "b200"),
		typed[types.Ints, generated.Ints]("ints", "d_ints"),
		typed[types.Floats, generated.Floats]("floats", "d_floats"),
		typed[types.Strs, generated.Strs]("strs", "d_strs"),
		typed[types.Counts, generated.Counts]("counts", "d_map"),
		typed[types.Outlines, generated.Outlines]("outlines", "canada"),
		typed[types.Geo, generated.Geo]("geo"), // of a -file only
	}
}

// typed returns the workload of decoding into a T; G is the same type with generated methods.
func typed[T, G any, P interface {
	*G
	UnmarshalMsg(b []byte) (rest []byte, err error)
}](name string, docs ...string) Workload {
	copying, aliasing := decode.Options{Limits: roomy}.Must(), decode.Options{Limits: roomy, AliasInput: true}.Must()
	kept := new(T)
	return Workload{Name: name, Baseline: "msgp-gen", Docs: append([]string{}, docs...), Contenders: []Contender{
		into("boundpack", copying.Unmarshal, newOf[T]),
		into("boundpack-alias", aliasing.Unmarshal, newOf[T]),
		into("boundpack-reuse", copying.Unmarshal, func() *T { return kept }),
		into("msgp-gen", func(doc []byte, v any) error {
			return whole(v.(P).UnmarshalMsg(doc))
		}, newOf[G]),
		into("ugorji", ugorji(false), newOf[T]),
		into("ugorji-zerocopy", ugorji(true), newOf[T]),
		into("vmihailenco", func(doc []byte, v any) error { return msgpack.Unmarshal(doc, v) }, newOf[T]),
	}}
}

func newOf[T any]() *T { return new(T) }

// into returns the contender that decodes by unmarshal into what target returns.
func into[T any](name string, unmarshal func(doc []byte, v any) error, target func() *T) Contender {
	return making(name, func(doc []byte) (any, error) {
		v := target()
		err := unmarshal(doc, v)
		return v, err
	})
}

// ugorji returns its decoder for fields tagged msgpack.
func ugorji(zeroCopy bool) func(doc []byte, v any) error {
	h := new(codec.MsgpackHandle)
	h.TypeInfos = codec.NewTypeInfos([]string{"msgpack"})
	h.ZeroCopy = zeroCopy
	return func(doc []byte, v any) error {
		d := codec.NewDecoderBytes(doc, h)
		if err := d.Decode(v); err != nil {
			return err
		}
		return whole(doc[d.NumBytesRead():], nil)
	}
}

func isPointer(v any) bool { return v != nil && reflect.TypeOf(v).Kind() == reflect.Pointer }

// sameTyped is Same for values of Go types that are alike but for their names.
func sameTyped(a, b reflect.Value) error {
	if a.Kind() != b.Kind() {
		return fmt.Errorf(": %v against %v", a.Type(), b.Type())
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if err := sameTyped(a.Field(i), b.Field(i)); err != nil {
				return fmt.Errorf(".%s%w", a.Type().Field(i).Name, err)
			}
		}
		return nil
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return fmt.Errorf(": %d elements against %d", a.Len(), b.Len())
		}
		for i := range a.Len() {
			if err := sameTyped(a.Index(i), b.Index(i)); err != nil {
				return fmt.Errorf("[%d]%w", i, err)
			}
		}
		return nil
	case reflect.Map:
		if a.Len() != b.Len() {
			return fmt.Errorf(": %d keys against %d", a.Len(), b.Len())
		}
		for _, key := range a.MapKeys() {
			if !b.MapIndex(key).IsValid() {
				return fmt.Errorf(".%v: only in one", key)
			}
			if err := sameTyped(a.MapIndex(key), b.MapIndex(key)); err != nil {
				return fmt.Errorf(".%v%w", key, err)
			}
		}
		return nil
	}
	return Same(a.Interface(), b.Interface())
}
