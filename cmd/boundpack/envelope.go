package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/boundpack/boundpack/envelope"
)

// openEnvelope prints the payload of an envelope.
func (a *app) openEnvelope(opt options) int {
	env, name, err := a.readFile(opt.files[0], opt.envelope.MaxEnvelope)
	if err != nil {
		return a.refuse(name, nil, err)
	}
	payload, err := opt.codec.OpenData(env)
	if err != nil {
		return a.refuseEnvelope(name, err, len(env) > opt.envelope.MaxEnvelope, opt.envelope)
	}
	a.stdout.Write(payload)
	return exitOK
}

// sealEnvelope prints an envelope around a payload.
func (a *app) sealEnvelope(opt options) int {
	payload, name, err := a.readFile(opt.files[0], opt.envelope.MaxPayload)
	if err != nil {
		return a.refuse(name, nil, err)
	}
	env, err := opt.codec.Seal(payload, opt.format)
	if err != nil {
		return a.refuseEnvelope(name, err, len(payload) <= opt.envelope.MaxPayload, opt.envelope)
	}
	a.stdout.Write(env)
	return exitOK
}

// refuseEnvelope reports err, with the flag of the limit if one was exceeded: that of the
// envelope, if it was too long, else that of the payload.
func (a *app) refuseEnvelope(name string, err error, envelopeTooLong bool, limits envelope.Options) int {
	limit := ""
	switch {
	case errors.Is(err, envelope.ErrTooLarge) && envelopeTooLong:
		limit = fmt.Sprintf(", limit --max-envelope = %d", limits.MaxEnvelope)
	case errors.Is(err, envelope.ErrTooLarge):
		limit = fmt.Sprintf(", limit --max-payload = %d", limits.MaxPayload)
	case errors.Is(err, envelope.ErrBomb):
		limit = fmt.Sprintf(", limit --max-ratio = %d", limits.MaxRatio)
	}
	a.stdout.Flush()
	fmt.Fprintf(a.stderr, "%s: %v%s\n", name, err, limit)
	return exitRefused
}

// readFile reads a file of the command line, up to one byte more than most.
func (a *app) readFile(file string, most int) (data []byte, name string, err error) {
	in, name, err := a.open(file)
	if err != nil {
		return nil, name, err
	}
	if in != a.stdin {
		defer in.Close()
	}
	data, err = readUpTo(in, most+1)
	return data, name, err
}

// readUpTo reads all of in, but no more than most bytes. A regular file is read into a
// buffer that fits it; any other into one that doubles, so that nothing is allocated that
// did not arrive.
func readUpTo(in *os.File, most int) ([]byte, error) {
	room := chunk
	if info, err := in.Stat(); err == nil && info.Mode().IsRegular() {
		room = int(min(info.Size(), int64(most))) + 1
	}
	buf := make([]byte, 0, room)
	for {
		n, err := in.Read(buf[len(buf):min(cap(buf), most)])
		buf = buf[:len(buf)+n]
		switch {
		case errors.Is(err, io.EOF) || len(buf) == most:
			return buf, nil
		case err != nil:
			return nil, err
		case len(buf) == cap(buf):
			buf = append(make([]byte, 0, min(2*int64(cap(buf)), int64(most))), buf...)
		}
	}
}
