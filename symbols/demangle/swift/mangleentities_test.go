package swift

// This file has the mangler's declarations, and what compilers make of them.

// global is a whole name without its prefix.
func (m *mangler) global() string {
	switch m.IntN(16) {
	case 0, 1:
		return m.entity() + m.one("To", "TO", "TD", "Td", "Tu", "TI", "TA", "Ta", "Tm", "TE", "Twb", "TwB", "TwS", "HF", "TA.7", ".resume.0", "TQ0_", "TY1_", "ToTA", "Twc", "Twd")
	case 2:
		return m.typ() + "M" + m.one("a", "b", "B", "C", "D", "f", "F", "i", "I", "l", "L", "m", "M", "n", "N", "o", "P", "q", "Q", "r", "s", "t", "u", "U", "z", "J", "K")
	case 3:
		return m.typ() + m.one("N", "D", "WV", "wxx", "wcp", "wst", "WOb", "WOe", "WOh", "WOi0_", "WOj_", "Hn", "TC")
	case 4:
		return m.conformance() + m.one("WP", "Wp", "WG", "Wr", "WI", "Wa", "Mc", "MA", "Hc")
	case 5:
		return m.conformance() + m.entity() + "TW"
	case 6:
		return m.specialized()
	case 7:
		return m.lowered() + m.lowered() + m.one("TR", "TR", "Tr", "TRTA", "TRTo")
	case 8:
		return m.property() + m.typ() + m.maybe(2, m.typ) + m.one("TK", "Tk", "TKq", "Tkq", "TKmu", "TKMA")
	case 9:
		return m.expansion()
	case 10:
		return m.entity() + m.one("Tv", "Tv0", "Tv1") + m.one("_", "_r")
	case 11:
		return m.entity() + m.one("Tc", "Tj", "Tq", "TS", "TTI", "WC", "Wvd", "Wvi", "MV", "Mq", "MXX", "fA_", "fA0_")
	case 12:
		return m.function() + m.one("TJ", "TJV", "WJ") + m.one("f", "r", "f", "d", "p") + m.one("SpSr", "SUpSr", "USpSr", "UUpUr")
	}
	return m.entity()
}

func (m *mangler) entity() string {
	switch m.IntN(8) {
	case 0:
		return m.property()
	case 1:
		return m.context() + m.labelled(m.functionType) + "ci" + m.one("g", "s", "M", "p", "r")
	case 2:
		return m.nominal() + m.labelled(m.functionType) + m.one("cfC", "cfc")
	case 3:
		return m.nominal() + m.one("fD", "fd", "fE", "fe", "fZ")
	case 4:
		return m.function() + m.functionType() + "c" + m.one("fU", "fu") + m.index()
	case 5:
		return m.property() + m.one("fi", "fP", "fF", "fW")
	}
	return m.function()
}

// context is what a declaration is in. A function is one for what is local to it.
func (m *mangler) context() string {
	if m.in(8) {
		return m.deeper(m.module, m.function)
	}
	switch m.IntN(4) {
	case 0:
		return m.module()
	case 1:
		return m.protocol()
	}
	return m.nominal()
}

// labelled writes the labels of a function, and the function's type behind them: a
// mark that there are none, or a name or an underscore for each parameter.
func (m *mangler) labelled(rest func() string) string {
	if m.in(3) {
		return m.identifier() + m.typ() + m.typ() + "_t" + m.effects() // one parameter, with a label
	}
	if m.in(3) {
		labels := m.identifier() + "_"
		if m.in(2) {
			labels = "_" + m.identifier()
		}
		return labels + m.typ() + m.typ() + "_" + m.typ() + "t" + m.effects()
	}
	return "y" + rest()
}

func (m *mangler) function() string {
	out := m.context() + m.functionName()
	return out + m.labelled(m.functionType) + m.maybe(3, m.signature) + "F" + m.one("", "", "", "Z")
}

// functionName is a name, or that of an operator with where it stands.
func (m *mangler) functionName() string {
	if m.in(6) {
		return m.one("2eeoi", "1poi", "1soP", "2aaop", "3dddoi", "1top", "1gop")
	}
	return m.name()
}

func (m *mangler) property() string {
	return m.context() + m.name() + m.typ() + "v" + m.one("g", "g", "s", "M", "r", "p", "p", "w", "W", "au", "lu", "ao", "lo", "i", "m", "x", "y", "b", "z")
}

// conformance is a type, the protocol that it has, and the module that says so.
func (m *mangler) conformance() string {
	return m.nominal() + m.protocol() + m.identifier() + m.maybe(4, m.signature)
}

// specialized is a function that was made for certain types or arguments.
func (m *mangler) specialized() string {
	out := m.function()
	if m.in(2) {
		return out + m.typ() + "_" + m.times(0, 2, m.typ) + m.one("Tg5", "TG5", "TB5", "Ts5", "Ti5", "Tgm5", "Tgq5", "Tgmq5", "Ttg5", "Tt2g5")
	}
	return out + m.identifier() + m.one("Tf1nc_n", "Tf4pfn_n", "Tf3npf_n", "Tf4npg_n", "Tf2cd_n") + m.one("", "", "TA", "To")
}

// lowered is a function's type after the compiler has lowered it: its types come first.
func (m *mangler) lowered() string {
	out, how := "", ""
	for range m.IntN(3) {
		out += m.typ()
		how += m.one("i", "l", "n", "g", "x", "y", "b", "c", "X", "e", "v", "p", "m") + m.one("", "", "", "w", "T", "I", "L")
	}
	for range m.IntN(3) {
		out += m.typ()
		how += m.one("r", "o", "d", "u", "a", "k") + m.one("", "", "", "w")
	}
	if m.in(4) {
		out += m.typ()
		how += m.one("Yi", "Yg", "Yl")
	}
	if m.in(4) {
		out += m.typ()
		how += m.one("zo", "zr")
	}
	attributes := m.one("", "e", "e", "eA") + m.one("", "", "", "d", "r", "f", "l") + m.one("g", "y", "x", "t") + m.one("", "", "", "B", "C", "M", "O", "K", "W", "zB", "zC") + m.one("", "", "", "A", "G", "h", "H", "hH", "T")
	return out + m.maybe(4, m.signature) + "I" + attributes + how + "_"
}

// expansion is of a macro.
func (m *mangler) expansion() string {
	switch m.IntN(3) {
	case 0:
		return m.context() + m.identifier() + m.one("fMf", "fMu") + m.index()
	case 1:
		return m.context() + m.identifier() + m.labelled(m.functionType) + "cfm"
	}
	return m.nominal() + m.identifier() + m.identifier() + "fM" + m.one("a", "r", "m", "p", "c", "e", "b", "q") + m.index()
}
