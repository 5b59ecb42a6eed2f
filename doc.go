// Package boundpack is the root of a module that decodes MessagePack from people
// you do not trust. It holds no code:
//
//   - [github.com/boundpack/boundpack/decode] turns documents into Go values;
//   - [github.com/boundpack/boundpack/envelope] opens and seals CacheKit's envelopes;
//   - [github.com/boundpack/boundpack/walk] proves that bytes are one well-formed
//     document within limits, and reads it header by header;
//   - [github.com/boundpack/boundpack/bounds] holds the limits and every error;
//   - cmd/boundpack is the command.
package boundpack
