package envelope_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/envelope"
)

func Example() {
	env, err := envelope.Seal([]byte("hello, cachekit!"), "msgpack")
	if err != nil {
		panic(err)
	}
	payload, format, err := envelope.Open(env)
	fmt.Printf("%s, %s, %v\n", payload, format, err)

	env[10] ^= 1
	_, _, err = envelope.Open(env)
	fmt.Println(err, errors.Is(err, envelope.ErrChecksum))
	// Output:
	// hello, cachekit!, msgpack, <nil>
	// envelope: integrity check failed true
}

func ExamplePayloadAny() {
	env, err := envelope.Seal([]byte("\x82\xac__datetime__\xc3\xa5value\xb92025-11-14T10:30:00+01:00"), "")
	if err != nil {
		panic(err)
	}
	v, err := envelope.PayloadAny(env)
	fmt.Println(v.(time.Time).Format(time.RFC1123Z), err)
	// Output: Fri, 14 Nov 2025 10:30:00 +0100 <nil>
}

// A reader that takes payloads of 1 MiB at most, and no more than 50 times what it is
// given.
func ExampleOptions() {
	codec := envelope.Options{MaxEnvelope: 1 << 20, MaxPayload: 1 << 20, MaxRatio: 50}.Must()
	env, err := envelope.Seal(make([]byte, 1<<20), "")
	if err != nil {
		panic(err)
	}
	_, err = codec.OpenData(env)
	fmt.Println(errors.Is(err, envelope.ErrBomb), errors.Is(err, bounds.ErrLimit))
	// Output: true true
}

// A buffer that is used again takes no memory.
func ExampleOpenAppend() {
	env, err := envelope.Seal([]byte("hello"), "")
	if err != nil {
		panic(err)
	}
	buf := make([]byte, 0, 1024)
	for range 2 {
		payload, _, err := envelope.OpenAppend(buf[:0], env)
		fmt.Printf("%s %v\n", payload, err)
	}
	// Output:
	// hello <nil>
	// hello <nil>
}

// A codec for entries that are encrypted, here only turned around.
func ExampleCodec_OpenFrame() {
	turn := func(b []byte) []byte {
		turned := make([]byte, 0, len(b))
		for i := range b {
			turned = append(turned, b[len(b)-1-i])
		}
		return turned
	}
	codec := envelope.Options{
		Unseal: func(_ context.Context, key string, meta envelope.Meta, sealed []byte) ([]byte, error) {
			if meta.TenantID != "tenant-1" || key != "user:7" {
				return nil, errors.New("no key for this entry")
			}
			return turn(sealed), nil
		},
	}.Must()

	env, err := codec.Seal([]byte("secret"), "")
	if err != nil {
		panic(err)
	}
	sealed, err := envelope.AppendFrame(nil, envelope.Meta{Compressed: true, Encrypted: true, TenantID: "tenant-1"}, turn(env))
	if err != nil {
		panic(err)
	}
	payload, _, err := codec.OpenFrame(context.Background(), "user:7", sealed)
	fmt.Printf("%s %v\n", payload, err)

	// Somebody who can write to the cache puts an entry there that is not sealed.
	open, err := envelope.AppendFrame(nil, envelope.Meta{Compressed: true}, env)
	if err != nil {
		panic(err)
	}
	_, _, err = codec.OpenFrame(context.Background(), "user:7", open)
	fmt.Println(errors.Is(err, envelope.ErrSuspicious))
	// Output:
	// secret <nil>
	// true
}
