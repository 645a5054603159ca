package usage

import (
	"reflect"
	"strconv"

	"github.com/alecthomas/kong"
)

var asWhole = kong.NewRegistry().RegisterDefaults().ForType(reflect.TypeFor[int]())

// Whole reads a whole number of the command line. The parser's own way takes a negative one behind
// a space for a flag; the command knows which numbers are allowed, and says so.
func Whole(ctx *kong.DecodeContext, target reflect.Value) error {
	if next := ctx.Scan.Peek(); next.InferredType() == kong.ShortFlagToken {
		if _, err := strconv.Atoi(next.String()); err == nil {
			ctx.Scan.Pop()
			ctx.Scan.PushTyped(next.String(), kong.FlagValueToken)
		}
	}
	return asWhole.Decode(ctx, target)
}
