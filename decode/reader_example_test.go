package decode_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
)

type order struct {
	ID   int64    `msgpack:"id"`
	Tags []string `msgpack:"tags,limit=20"`
}

// The body of an HTTP request: the limits hold while it is read, so nothing else has to
// bound it.
func ExampleUnmarshalRead() {
	decoder := decode.Options{Limits: bounds.Limits{MaxBytes: 1 << 16}}.Must()
	handler := func(w http.ResponseWriter, req *http.Request) {
		var o order
		err := decoder.UnmarshalRead(req.Body, &o)
		switch {
		case errors.Is(err, decode.ErrMaxBytes):
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadRequest)
		default:
			fmt.Fprintf(w, "order %d, %q\n", o.ID, o.Tags)
		}
	}
	for _, body := range []string{
		"\x82\xa2id\x07\xa4tags\x91\xa3new",
		"\x82\xa2id\x07\xa4tags\xdd\x00\x10\x00\x00",
		"\x82\xa2id\xa17\xa4tags\x90",
	} {
		w := httptest.NewRecorder()
		handler(w, httptest.NewRequest("POST", "/orders", strings.NewReader(body)))
		fmt.Print(w.Code, " ", w.Body)
	}
	// Output:
	// 200 order 7, ["new"]
	// 413 msgpack document is longer than 65536 bytes (at byte 10)
	// 400 msgpack document holds a value of another type than its target: str into int64 (at byte 4, path id)
}

// A connection on which requests and answers take turns. Nothing behind a request is read, and
// one that means what it must not does not end the connection.
func ExampleReader() {
	client, server := net.Pipe()
	go func() {
		defer server.Close()
		r := decode.NewReader(server)
		for {
			if err := server.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
				return
			}
			var o order
			err := r.Decode(&o)
			switch {
			case err == nil:
				fmt.Fprintf(server, "order %d\n", o.ID)
			case r.Resumable(err):
				fmt.Fprintf(server, "refused: %v\n", err)
			default: // io.EOF, or what is no document
				return
			}
		}
	}()
	answer := make([]byte, 200)
	for _, request := range []string{"\x81\xa2id\x01", "\x81\xa2id\xc3", "\x81\xa2id\x03"} {
		if _, err := io.WriteString(client, request); err != nil {
			fmt.Println(err)
		}
		n, err := client.Read(answer)
		fmt.Print(string(answer[:n]))
		if err != nil {
			fmt.Println(err)
		}
	}
	client.Close()
	// Output:
	// order 1
	// refused: msgpack document holds a value of another type than its target: bool into int64 (at byte 4, path id)
	// order 3
}

// The documents of a file, which is read ahead.
func ExampleDocuments() {
	file := strings.NewReader("\x81\xa2id\x01\x81\xa2id\xc0\x81\xa2id\xa1x\x81\xa2id\x04\x92")
	r := decode.NewReader(file).ReadAhead()
	for o, err := range decode.Documents[order](r) {
		if err != nil {
			fmt.Printf("document at byte %d: %v\n", r.Start(), err)
			continue
		}
		fmt.Println("order", o.ID)
	}
	// Output:
	// order 1
	// order 0
	// document at byte 10: msgpack document holds a value of another type than its target: str into int64 (at byte 4, path id)
	// order 4
	// document at byte 21: msgpack document declares more elements than the input can back (at byte 0)
}

// A large array, whose elements take turns in memory.
func ExampleElements() {
	r := decode.NewReader(strings.NewReader("\x93\x81\xa2id\x01\x81\xa2id\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00\x81\xa2id\x03"))
	sum := int64(0)
	for o, err := range decode.Elements[order](r) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		sum += o.ID
	}
	fmt.Println(sum)
	// Output:
	// element 1: msgpack document holds a value of another type than its target: float into int64 (at byte 4, path id)
	// 4
}

func ExamplePairs() {
	r := decode.NewReader(strings.NewReader("\x82\xa3one\x01\xa3two\x02"))
	for p, err := range decode.Pairs[string, int](r) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(p.Key, p.Value)
	}
	// Output:
	// one 1
	// two 2
}
