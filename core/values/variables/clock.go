package variables

import (
	"cmp"
	"strconv"
	"strings"

	"crashglass/core/values/types"
)

// duration is a count of periods, by the names of its template's arguments:
// std::chrono::duration<long, std::ratio<1, 1000> >.
func duration(rep string) func(*object) bool {
	return func(o *object) bool {
		count := o.field(rep)
		if count == nil || count.t == nil || !scalar(count.t) {
			return false
		}
		v := o.r.value(count.v, count.t, o.depth)
		if !v.Said {
			return false
		}
		o.out.say(v.Text + period(o.t.Name, types.Named(o.arg(1))))
		return true
	}
}

// units are the periods with a name. Source: C++20, [time.syn].
var units = map[string]string{
	"1,1000000000": "ns", "1,1000000": "µs", "1,1000": "ms", "1,1": "s", "60,1": "min", "3600,1": "h", "86400,1": "d",
}

// period returns the unit of a duration: by its ratio, or by the ratio in its name.
func period(duration, ratio string) string {
	ratio = cmp.Or(ratio, duration)
	_, ratio, ok := strings.Cut(ratio, "ratio<")
	ratio, _, _ = strings.Cut(ratio, ">")
	num, den, both := strings.Cut(ratio, ",")
	if !ok || !both && num == "" {
		return ""
	}
	if !both { // ratio<60> of Clang: the default denominator is left out
		den = "1"
	}
	num, den = number(num), number(den)
	if unit, ok := units[num+","+den]; ok {
		return " " + unit
	}
	return " × " + num + "/" + den + " s"
}

// number parses a number with the suffix of a compiler: 1000L.
func number(text string) string {
	text = strings.TrimRight(strings.TrimSpace(text), "ULul")
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		return "?"
	}
	return text
}
