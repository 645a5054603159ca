package cli

import (
	"math"
	"reflect"
	"strconv"

	"github.com/alecthomas/kong"
)

var asWhole = kong.NewRegistry().RegisterDefaults().ForType(reflect.TypeFor[int]())

// WholeNumber reads a whole number of the command line, also one such as 1e6. The parser's own way takes
// a negative one behind a space for a flag; the command knows which numbers are allowed, and says
// so.
func WholeNumber(ctx *kong.DecodeContext, target reflect.Value) error {
	next := ctx.Scan.Peek()
	text := next.String()
	x, err := strconv.ParseFloat(text, 64)
	whole := err == nil && x == math.Trunc(x) && math.Abs(x) <= 1<<53
	if _, err := strconv.Atoi(text); err == nil && next.InferredType() == kong.ShortFlagToken || err != nil && whole {
		if err != nil {
			text = strconv.FormatInt(int64(x), 10)
		}
		ctx.Scan.Pop()
		ctx.Scan.PushTyped(text, kong.FlagValueToken)
	}
	return asWhole.Decode(ctx, target)
}
