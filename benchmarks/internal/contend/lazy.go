package contend

import (
	"fmt"
	"io"

	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/walk"
)

// lazyWorkloads are those of who makes no value of the whole: a cursor over every item, a
// Document, and three fields of one user in the middle.
func lazyWorkloads() []Workload {
	return []Workload{
		{Name: "cursor", Baseline: "check", Contenders: []Contender{
			{Name: "boundpack", Run: allTokens},
			{Name: "check", Run: func(doc []byte) error { return walk.Check(doc, roomy) }},
			{Name: "step", Run: stepThrough},
		}},
		{Name: "document", Baseline: "msgp", Contenders: append([]Contender{
			parsing("boundpack", decode.Options{Limits: roomy}, false),
			parsing("boundpack-reused", decode.Options{Limits: roomy}, true),
			parsing("boundpack-alias", decode.Options{Limits: roomy, AliasInput: true}, true),
		}, peerAnys()...)},
		{Name: "fields", Baseline: "any", Docs: []string{"a100", "a1000"}, Contenders: []Contender{
			making("any", fieldsOfAny),
			making("cursor", fieldsByCursor),
			making("document", fieldsOfNew()),
			making("document-reused", fieldsOfReused()),
			making("document-parsed", fieldsOfParsed()),
		}},
	}
}

// allTokens reads every header and payload.
func allTokens(doc []byte) error {
	var c walk.Cursor
	if err := c.Reset(doc, roomy); err != nil {
		return err
	}
	for {
		if _, err := c.Next(); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
}

// parsing parses to a Document, whose memory is used again or not. Its value is made for
// the comparison only.
func parsing(name string, o decode.Options, reused bool) Contender {
	d := o.Must()
	parse := d.Parse
	if reused {
		into := new(decode.Document)
		parse = func(doc []byte) (*decode.Document, error) { return into, d.ParseInto(into, doc) }
	}
	return Contender{
		Name: name,
		Run: func(doc []byte) error {
			_, err := parse(doc)
			return err
		},
		Value: func(doc []byte) (any, error) {
			parsed, err := parse(doc)
			if err != nil {
				return nil, err
			}
			return parsed.Root().Any()
		},
	}
}

var roomyDecoder = decode.Options{Limits: roomy}.Must()

// fieldsOfAny decodes all and takes what it wants.
func fieldsOfAny(doc []byte) (any, error) {
	v, err := roomyDecoder.Any(doc)
	if err != nil {
		return nil, err
	}
	users := v.(map[string]any)["users"].([]any)
	u := users[len(users)/2].(map[string]any)
	return []any{u["id"], u["name"], u["score"]}, nil
}

func fieldsOf(doc *decode.Document) (any, error) {
	users := doc.Root().Get("users")
	u := users.Index(users.Len() / 2)
	id, err := u.Get("id").Int()
	if err != nil {
		return nil, err
	}
	name, err := u.Get("name").Str()
	if err != nil {
		return nil, err
	}
	score, err := u.Get("score").Float()
	return []any{id, name, score}, err
}

func fieldsOfNew() func([]byte) (any, error) {
	return func(doc []byte) (any, error) {
		parsed, err := roomyDecoder.Parse(doc)
		if err != nil {
			return nil, err
		}
		return fieldsOf(parsed)
	}
}

func fieldsOfReused() func([]byte) (any, error) {
	var parsed decode.Document
	return func(doc []byte) (any, error) {
		if err := roomyDecoder.ParseInto(&parsed, doc); err != nil {
			return nil, err
		}
		return fieldsOf(&parsed)
	}
}

// fieldsOfParsed parses a document that it did not have the time before only: the reads
// alone are measured.
func fieldsOfParsed() func([]byte) (any, error) {
	var parsed decode.Document
	var first *byte
	size := 0
	return func(doc []byte) (any, error) {
		if len(doc) == 0 || first != &doc[0] || size != len(doc) {
			first = nil
			if err := roomyDecoder.ParseInto(&parsed, doc); err != nil {
				return nil, err
			}
			first, size = &doc[0], len(doc)
		}
		return fieldsOf(&parsed)
	}
}

// fieldsByCursor reads to the end, so that it refuses what the others refuse of structure.
func fieldsByCursor(doc []byte) (any, error) {
	var c walk.Cursor
	if err := c.Reset(doc, roomy); err != nil {
		return nil, err
	}
	var fields []any
	for key, err := range c.Map() {
		if err != nil {
			return nil, err
		}
		if string(key.Payload) != "users" {
			continue
		}
		var users walk.Cursor
		if err := c.Sub(&users); err != nil {
			return nil, err
		}
		n, err := users.ReadArrayLen()
		if err != nil {
			return nil, err
		}
		for range n / 2 {
			if err := users.Skip(); err != nil {
				return nil, err
			}
		}
		if fields, err = fieldsOfUser(&users); err != nil {
			return nil, err
		}
	}
	if len(fields) != 3 {
		return nil, fmt.Errorf("%d fields", len(fields))
	}
	return fields, nil
}

func fieldsOfUser(c *walk.Cursor) ([]any, error) {
	var id int64
	var name []byte
	var score float64
	for key, err := range c.Map() {
		if err != nil {
			return nil, err
		}
		switch string(key.Payload) {
		case "id":
			id, err = c.ReadInt64()
		case "name":
			name, err = c.ReadStr()
		case "score":
			score, err = c.ReadFloat64()
		}
		if err != nil {
			return nil, err
		}
	}
	return []any{id, string(name), score}, nil
}
