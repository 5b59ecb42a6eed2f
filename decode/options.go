package decode

// Options configure a [Decoder]. The zero Options is the default: every limit at
// its default, and every policy at its strictest.
type Options struct {
	// Limits bound each document. Zero fields are the defaults of package bounds.
	Limits Limits
}

// New returns a Decoder with these options. The error is [ErrOptions] and names
// what is out of range.
func (o Options) New() (*Decoder, error) {
	limits, err := o.Limits.Resolve()
	if err != nil {
		return nil, err
	}
	return &Decoder{limits: limits}, nil
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
	limits Limits
}

var standard = Options{}.Must()
