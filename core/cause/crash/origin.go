package crash

import (
	"fmt"
	"strconv"
	"strings"

	"crashglass/core/report"
)

// originText says what the bad pointer is in the program, or which function returned it; "" if that is
// unknown. The value of copies and sums is that of the link behind them, up to the number that was added.
func originText(trail report.Trail) string {
	for i := range trail {
		l := &trail[i]
		probably, what := "", "`"+l.Register+"`"
		if l.Guess {
			probably = "Probably, "
		}
		switch {
		case l.Value == nil:
			return ""
		case l.Variable != "" && l.Source != "" && l.Variable != l.Source:
			return fmt.Sprintf("%s`%s` is %s, loaded from `%s`.", probably, l.Variable, valueText(*l.Value), l.Source)
		case l.Variable != "":
			return fmt.Sprintf("`%s` is %s.", l.Variable, valueText(*l.Value)) // by the debug information alone
		case l.Source != "":
			return fmt.Sprintf("%s`%s` is %s.", probably, l.Source, valueText(*l.Value))
		case l.Kind == report.OriginResult && l.Function != "":
			return fmt.Sprintf("%s%s is what `%s` returned: %s.", probably, what, l.Function, valueText(*l.Value))
		case l.Kind != report.OriginCopy && l.Kind != report.OriginSum && l.Kind != report.OriginArgument:
			return ""
		}
	}
	return ""
}

func valueText(v report.Address) string {
	n, err := strconv.ParseUint(strings.TrimPrefix(string(v), "0x"), 16, 64)
	if err == nil && n == 0 {
		return "null"
	}
	return hex(n)
}
