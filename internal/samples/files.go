package samples

import "bytes"

// Files returns what stands below the module's testdata directory, byte for
// byte; a Name is a path there, with slashes. The tests of this package compare
// the two and, told to, write the files.
func Files() []Sample {
	return []Sample{
		{"users.msgpack", func() []byte { return Users(100) }},
		{"dates.msgpack", func() []byte { return Dates(50) }},
		{"formats.msgpack", Formats},
		{"stream.msgpack", Stream},
		{"hostile/claim-array32.msgpack", func() []byte { return []byte("\xdd\xff\xff\xff\xff") }},
		{"hostile/deep.msgpack", func() []byte { return append(bytes.Repeat([]byte{0x91}, 2000), 0xc0) }},
		{"hostile/cut.msgpack", cut},
		{"hostile/reserved.msgpack", func() []byte { return []byte("\x93\x01\xc1\x02") }},
		{"hostile/badutf8.msgpack", func() []byte { return []byte("\x81\xa5drink\xa4caf\xe9") }},
		{"hostile/dupkey.msgpack", func() []byte { return []byte("\x83\xa4role\xa4user\xa2id\x07\xa4role\xa5admin") }},
	}
}

// Stream returns documents of every kind of size one after another with nothing
// between them, as a connection carries them.
func Stream() []byte {
	b := Users(2)
	b = AppendNil(b)
	b = append(b, Dates(3)...)
	b = AppendArray(b, 0)
	b = AppendStr(b, "a document may be a scalar")
	b = AppendInt(b, -1)
	return append(b, Deep(6)...)
}

// cut ends inside the address of the fifty-first user. Nothing in it claims more
// than the whole document held; only the bytes are missing.
func cut() []byte {
	whole := Users(100)
	user := bytes.Index(whole, []byte("\xa2id\xcd\x04\x1a"))
	address := user + bytes.Index(whole[user:], []byte("\xa7address"))
	return whole[:address+40]
}
