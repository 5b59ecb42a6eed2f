// Package bounds holds what every other package of boundpack refuses by: the
// limits of a document, the account of what it has claimed, the stack of its
// open containers, and every error.
//
// # Limits
//
// [Limits] bound the depth, the length, the number of items and the memory of one
// document.
// Everything a header claims is compared with them, and with the bytes that are
// really there, before anything is made of it:
//
//	limit      unit                     default     range       on 32 bit   refusal
//	MaxDepth   levels of array and map  1024        1..65535    the same    ErrMaxDepth
//	MaxBytes   bytes of one document    64 MiB      1..1<<40    1..1<<31-1  ErrMaxBytes
//	MaxItems   items, the root too      4,194,304   1..1<<40    1..1<<31-1  ErrMaxItems
//	MaxMemory  bytes of Go memory       see there   1..1<<40    the same    ErrMaxMemory
//
// 32 bit are the platforms whose int has so many.
//
// # Order
//
// At one header, the first of these that applies is the reason: no byte
// (ErrEmpty), the reserved marker (ErrReserved), a length field cut short
// (ErrPrefix), ErrMaxDepth, a payload longer than the bytes left (ErrShort), more
// items owed than bytes left (ErrOwed), ErrMaxBytes, ErrMaxItems, ErrMaxMemory when
// decoding, and only then the meaning of the value.
//
// # Errors
//
// Structure and limits are refused with [*Error]; decode, and the typed reads of walk.Cursor,
// refuse the meaning of a value with error types of their own that wrap these sentinels.
//
//	sentinel         meaning                                   offset               returned by
//	ErrEmpty         no byte of a document                     0                    walk, decode
//	ErrReserved      marker 0xc1                               header               walk, decode
//	ErrPrefix        length field cut short                    header               walk, decode
//	ErrShort         payload longer than the bytes left        header               walk, decode
//	ErrOwed          more items owed than bytes left           header               walk, decode
//	ErrMaxDepth      deeper than MaxDepth                      header               walk, decode
//	ErrMaxBytes      longer than MaxBytes                      header               walk, decode
//	ErrMaxItems      more items than MaxItems                  header               walk, decode
//	ErrMaxMemory     more Go memory than allowed               header               decode
//	ErrUTF8          str is not UTF-8                          first invalid byte   walk.Valid, Cursor, decode
//	ErrTrailing      bytes after the document                  first of them        walk.Valid, decode
//	ErrType          value of another type than the target     header               walk.Cursor, decode
//	ErrOverflow      number outside the target's range         header               walk.Cursor, decode
//	ErrInexact       number the target cannot hold exactly     header               walk.Cursor, decode
//	ErrKeyType       key type not allowed                      key's header         walk.Cursor, decode
//	ErrDuplicateKey  key given twice                           second key's header  decode
//	ErrUnknownField  field the struct does not have            key's header         decode
//	ErrTimestamp     timestamp ext of wrong length or range    header               decode
//	ErrExt           ext the target does not take              header               decode
//	ErrMissing       no such key or element                    map's or array's     decode.Node
//	ErrOptions       Limits or Options out of range            none                 walk, decode
//	ErrTarget        destination nil or of unsupported type    none                 decode
//	ErrHook          caller's own function or method refused   header               decode
//
// ErrMaxDepth, ErrMaxBytes, ErrMaxItems and ErrMaxMemory are also [ErrLimit].
// ErrEmpty, ErrPrefix, ErrShort and ErrOwed are also [io.ErrUnexpectedEOF] as long
// as more bytes could complete the document within its limits. No error text
// holds a value of the document.
//
// In a stream ErrMaxBytes and ErrMaxItems are returned before the bytes that are
// claimed have come, and ErrEmpty, ErrPrefix, ErrShort and ErrOwed at its end only.
//
// # Machinery
//
// [Account], [Stack], [Grown], [InlineLevels] and [Incomplete] are exported only
// because the other packages of boundpack share them. They may change in any
// version: nothing is promised about their compatibility.
package bounds
