package envelope

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/probe"
)

// framed returns a frame with the given header.
func framed(header, payload string) []byte {
	b := binary.BigEndian.AppendUint32([]byte("CK\x03"), uint32(len(header)))
	return append(append(b, header...), payload...)
}

const plainHeader = `{"s":"default","m":{"format":"msgpack","encoding":"utf-8","compressed":true,"original_type":"msgpack"},"v":"2.0"}`

func TestParseFrame(t *testing.T) {
	plain := Meta{Serializer: "default", Format: "msgpack", Encoding: "utf-8", Compressed: true, OriginalType: "msgpack"}
	for _, test := range []struct {
		header string
		want   Meta
	}{
		{plainHeader, plain},
		{` {"v": null, "x": [1, {"s": "other"}], "m": {"format": "msgpack", "encoding": "utf-8", "compressed": true, "original_type": "msgpack", "y": {}}, "s": "default"} `, plain},
		{`{"s":"auto","m":{}}`, Meta{Serializer: "auto"}},
		{`{"s":"a","s":"b","m":{"format":"x"},"m":{"encoding":"y"}}`, Meta{Serializer: "b", Encoding: "y"}},
		{`{"s":"a","m":{"encoding":null,"original_type":null,"tenant_id":null,"encrypted":false}}`, Meta{Serializer: "a"}},
		{
			`{"s":"\u00e9\ud83d\ude00","m":{"encrypted":true,"tenant_id":"t","encryption_algorithm":"AES-256-GCM","key_fingerprint":"f"}}`,
			Meta{Serializer: "é😀", Encrypted: true, TenantID: "t", EncryptionAlgorithm: "AES-256-GCM", KeyFingerprint: "f"},
		},
		{`{"s":"\ufffd","m":{}}`, Meta{Serializer: "\ufffd"}},
		// Members of another name, though encoding/json takes them for a field.
		{`{"s":"a","S":"b","m":{"format":"x","FORMAT":"y","Encrypted":true},"M":{"format":"z"}}`, Meta{Serializer: "a", Format: "x"}},
	} {
		for _, payload := range []string{"", "payload"} {
			frame := framed(test.header, payload)
			m, rest, err := ParseFrame(frame)
			if err != nil || m != test.want || string(rest) != payload || cap(rest) != len(rest) {
				t.Errorf("%s: got %+v, %q, %v, want %+v", test.header, m, rest, err, test.want)
			}
		}
	}
}

func TestRefusedFrames(t *testing.T) {
	whole := framed(plainHeader, "")
	for _, test := range []struct {
		frame string
		cause error
	}{
		{"", errCut},
		{"C", errCut},
		{"CK", errCut},
		{"CK\x03\x00\x00\x00", errCut},
		{"CK\x02", errCut},
		{"CK\x02\x00\x00\x00\x00", errVersion},
		{"CK\x04" + string(whole[3:]), errVersion},
		{"CK3" + string(whole[3:]), errVersion},
		{"ck\x03" + string(whole[3:]), errNoFrame},
		{"KC\x03" + string(whole[3:]), errNoFrame},
		{`{"data":"","metadata":{},"serializer":"default"}`, errNoFrame},
		{"\x94\xc4\x01\x00", errNoFrame},
		{"\x80", errCut},
		{"CK\x03\x00\x00\x00\x01", errLength},
		{"CK\x03\xff\xff\xff\xff{}", errLength},
		{"CK\x03\x80\x00\x00\x00{}", errLength},
		{string(framed(plainHeader+strings.Repeat(" ", MaxHeader-len(plainHeader)+1), "")), errHeader},
		{"CK\x03\x00\x00\x00\x00", errJSON},
		{string(framed(plainHeader[1:], "")), errJSON},
		{string(framed(plainHeader+"}", "")), errJSON},
		{string(framed(plainHeader+plainHeader, "")), errJSON},
		{string(framed(`{"s":"a","m":{},}`, "")), errJSON},
		{string(framed(`{"s":"a","m":{"x":NaN}}`, "")), errJSON},
		{string(framed("\xef\xbb\xbf"+plainHeader, "")), errJSON},
		{string(framed(strings.Repeat("[", 60000), "")), errJSON},
		{string(framed(`[]`, "")), errMember},
		{string(framed(`"x"`, "")), errMember},
		{string(framed(`null`, "")), errMember},
		{string(framed(`{}`, "")), errMember},
		{string(framed(`{"m":{}}`, "")), errMember},
		{string(framed(`{"s":"","m":{}}`, "")), errMember},
		{string(framed(`{"s":null,"m":{}}`, "")), errMember},
		{string(framed(`{"s":1,"m":{}}`, "")), errMember},
		{string(framed(`{"s":["a"],"m":{}}`, "")), errMember},
		{string(framed(`{"s":"a"}`, "")), errMember},
		{string(framed(`{"s":"a","m":null}`, "")), errMember},
		{string(framed(`{"s":"a","m":[]}`, "")), errMember},
		{string(framed(`{"s":"a","m":"x"}`, "")), errMember},
		{string(framed(`{"s":"a","m":{"compressed":1}}`, "")), errMember},
		{string(framed(`{"s":"a","m":{"encrypted":"yes"}}`, "")), errMember},
		{string(framed(`{"s":"a","m":{"tenant_id":7}}`, "")), errMember},
		{string(framed("{\"s\":\"\xff\",\"m\":{}}", "")), errUTF8},
		{string(framed(`{"s":"\ud800","m":{}}`, "")), errRounding},
		{string(framed(`{"s":"a","m":{"tenant_id":"\uD800"}}`, "")), errRounding},
	} {
		m, payload, err := ParseFrame([]byte(test.frame))
		is(t, test.frame[:min(60, len(test.frame))], err, ErrFrame)
		if !errors.Is(err, test.cause) || m != (Meta{}) || payload != nil {
			t.Errorf("%.60q: got %v, want %v", test.frame, err, test.cause)
		}
	}
	for n := range whole {
		_, _, err := ParseFrame(whole[:n])
		is(t, "a prefix", err, ErrFrame)
	}
	// The longest header there may be.
	if _, _, err := ParseFrame(framed(plainHeader+strings.Repeat(" ", MaxHeader-len(plainHeader)), "")); err != nil {
		t.Error(err)
	}
	// No value in a text.
	if _, _, err := ParseFrame(framed(`{"s":"a","m":{"compressed":"secret"}}`, "")); strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	// A claim costs nothing.
	if size, _ := probe.Cold(func() { _, _, _ = ParseFrame([]byte("CK\x03\x7f\xff\xff\xff{}")) }); size > 200 {
		t.Errorf("refusing a claim takes %d bytes", size)
	}
}

func TestAppendFrame(t *testing.T) {
	frame, err := AppendFrame([]byte("there"), Meta{Compressed: true, OriginalType: "msgpack", Encoding: "utf-8"}, []byte("payload"))
	if want := "there" + string(framed(plainHeader, "payload")); err != nil || string(frame) != want {
		t.Errorf("got %q, %v, want %q", frame, err, want)
	}
	for _, m := range []Meta{
		{Serializer: "auto", Format: "f"},
		{Serializer: "é😀\u2028<>&\"\\\x00", Format: "\ufffd", Encoding: "e", OriginalType: "o", Compressed: true, Encrypted: true, TenantID: "t", EncryptionAlgorithm: "a", KeyFingerprint: "k"},
	} {
		frame, err := AppendFrame(nil, m, []byte("payload"))
		if err != nil {
			t.Fatal(err)
		}
		if got, payload, err := ParseFrame(frame); err != nil || got != m || string(payload) != "payload" {
			t.Errorf("got %+v, %q, %v, want %+v", got, payload, err, m)
		}
	}
	for _, m := range []Meta{{Serializer: "\xff"}, {TenantID: "\xed\xa0\x80"}, {TenantID: strings.Repeat("x", MaxHeader)}, {TenantID: strings.Repeat("x", MaxHeader+1)}, {KeyFingerprint: strings.Repeat("<", 11000)}} {
		got, err := AppendFrame([]byte("there"), m, nil)
		is(t, "a header that cannot be", err, ErrFrame)
		if string(got) != "there" {
			t.Errorf("got %q", got)
		}
	}
}

// TestFrameTooLong writes the longest frame there is, and one byte more.
func TestFrameTooLong(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: writes frames of the greatest length")
	}
	room := MaxFrame - len(framed(plainHeader, ""))
	m := Meta{Compressed: true, OriginalType: "msgpack", Encoding: "utf-8"}
	if frame, err := AppendFrame(nil, m, make([]byte, room)); err != nil || len(frame) != MaxFrame {
		t.Errorf("%d bytes, %v", len(frame), err)
	}
	got, err := AppendFrame(nil, m, make([]byte, room+1))
	is(t, "a frame too long", err, ErrTooLarge)
	if got != nil {
		t.Errorf("got %d bytes", len(got))
	}
}

// TestOpenFrame without seals: the header may say what it likes, but not that there is one.
func TestOpenFrame(t *testing.T) {
	env, err := Seal([]byte("\xa2hi"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		meta   Meta
		reason error
	}{
		{Meta{}, nil},
		{Meta{Serializer: "default"}, nil},
		{Meta{Serializer: "auto"}, nil},
		{Meta{Serializer: "unknown"}, nil},
		{Meta{Serializer: "orjson"}, ErrSerializer},
		{Meta{Serializer: "Default"}, ErrSerializer},
		{Meta{Encrypted: true}, ErrSuspicious},
		{Meta{Serializer: "arrow", Encrypted: true}, ErrSerializer},
	} {
		frame, err := AppendFrame(nil, test.meta, env)
		if err != nil {
			t.Fatal(err)
		}
		payload, meta, err := OpenFrame(frame)
		is(t, test.meta.Serializer, err, test.reason)
		var v any
		err = standard.FramePayload(context.Background(), "", frame, &v)
		is(t, test.meta.Serializer, err, test.reason)
		if test.reason == nil && (string(payload) != "\xa2hi" || meta.Serializer != or(test.meta.Serializer, "default") || v != "hi") {
			t.Errorf("got %q, %+v, %v", payload, meta, v)
		}
		if test.reason != nil && (payload != nil || meta != Meta{} || v != nil) {
			t.Errorf("%v, and %q, %+v, %v", err, payload, meta, v)
		}
	}
	_, _, err = OpenFrame(env)
	is(t, "a bare envelope", err, ErrFrame)
	_, _, err = OpenFrame(framed(plainHeader, "\x80"))
	is(t, "no envelope", err, ErrLayout)
	frame, _ := AppendFrame(nil, Meta{}, env)
	for n := range frame {
		_, _, err := OpenFrame(frame[:n])
		want := ErrFrame
		if n >= len(frame)-len(env) {
			want = ErrScan
		}
		is(t, "a prefix", err, want)
	}
}

type ctxKey struct{}

// xor is a seal for tests.
func xor(b []byte) []byte {
	b = bytes.Clone(b)
	for i := range b {
		b[i] ^= 0x5a
	}
	return b
}

// TestUnseal: the configuration decides, and all that the key depends on reaches the hook.
func TestUnseal(t *testing.T) {
	refused := errors.New("wrong key")
	calls := 0
	var gotKey string
	var gotMeta Meta
	var gotSealed []byte
	c := Options{MaxPayload: 100, Unseal: func(ctx context.Context, key string, meta Meta, sealed []byte) ([]byte, error) {
		calls++
		gotKey, gotMeta, gotSealed = key, meta, bytes.Clone(sealed)
		if ctx.Value(ctxKey{}) != "there" {
			t.Error("another context")
		}
		if key == "refuse" {
			return nil, refused
		}
		return xor(sealed), nil
	}}.Must()
	ctx := context.WithValue(context.Background(), ctxKey{}, "there")
	env, err := c.Seal([]byte("\xa2hi"), "") // sealing in an envelope is not Unseal's business
	if err != nil {
		t.Fatal(err)
	}
	meta := Meta{Serializer: "default", Format: "msgpack", Compressed: true, Encrypted: true, TenantID: "t", EncryptionAlgorithm: "AES-256-GCM", KeyFingerprint: "f"}
	frame, err := AppendFrame(nil, meta, xor(env))
	if err != nil {
		t.Fatal(err)
	}
	payload, got, err := c.OpenFrame(ctx, "key", frame)
	if err != nil || string(payload) != "\xa2hi" || got != meta || gotMeta != meta || gotKey != "key" || !bytes.Equal(gotSealed, xor(env)) || calls != 1 {
		t.Fatalf("got %q, %+v, %v after %d calls with %q, %+v, %x", payload, got, err, calls, gotKey, gotMeta, gotSealed)
	}
	var v any
	if err := c.FramePayload(ctx, "key", frame, &v); err != nil || v != "hi" {
		t.Errorf("got %v, %v", v, err)
	}

	// What the hook refuses.
	_, _, err = c.OpenFrame(ctx, "refuse", frame)
	if !errors.Is(err, bounds.ErrHook) || !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	// What it returns is held to all bounds.
	long, _ := Seal(make([]byte, 101), "")
	sealedLong, _ := AppendFrame(nil, meta, xor(long))
	_, _, err = c.OpenFrame(ctx, "key", sealedLong)
	is(t, "a payload too long", err, ErrTooLarge)
	unsealedMarked, _ := AppendFrame(nil, meta, env)
	_, _, err = c.OpenFrame(ctx, "key", unsealedMarked)
	is(t, "an envelope that is not sealed, though the header says so", err, ErrLayout)

	// What is not sealed never reaches it.
	calls = 0
	open := meta
	open.Encrypted = false
	unsealed, _ := AppendFrame(nil, open, env)
	_, _, err = c.OpenFrame(ctx, "key", unsealed)
	is(t, "an unsealed frame", err, ErrSuspicious)
	sealedSaysNot, _ := AppendFrame(nil, open, xor(env))
	_, _, err = c.OpenFrame(ctx, "key", sealedSaysNot)
	is(t, "a sealed frame whose header does not say so", err, ErrSuspicious)
	open.Serializer = "arrow"
	other, _ := AppendFrame(nil, open, env)
	_, _, err = c.OpenFrame(ctx, "key", other)
	is(t, "another serializer", err, ErrSerializer)
	_, _, err = c.OpenFrame(ctx, "key", env)
	is(t, "a bare envelope for a frame", err, ErrFrame)
	// A bare envelope is not sealed either.
	_, _, err = c.Open(env)
	is(t, "Open", err, ErrSuspicious)
	_, err = c.OpenData(env)
	is(t, "OpenData", err, ErrSuspicious)
	into, _, err := c.OpenAppend([]byte("there"), env)
	is(t, "OpenAppend", err, ErrSuspicious)
	is(t, "Payload", c.Payload(env, &v), ErrSuspicious)
	_, err = c.PayloadAny(env)
	is(t, "PayloadAny", err, ErrSuspicious)
	if c.Validate(env) || string(into) != "there" || calls != 0 {
		t.Errorf("%q, %d calls", into, calls)
	}
}
