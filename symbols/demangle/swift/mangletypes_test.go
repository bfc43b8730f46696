package swift

// This file has the mangler's types.

// nominal is a type with a name, and without generic arguments.
func (m *mangler) nominal() string {
	if m.in(3) {
		if text, ok := m.again('n'); ok {
			return text
		}
	}
	if m.in(4) {
		return m.one("Sa", "Sh", "SD", "Si", "SS", "Sq", "ScT", "ScA")
	}
	return m.note('n', m.place()+m.name()+m.one("V", "V", "C", "C", "O", "a"))
}

// place is what a type is in: a module, another type, or an extension of one.
func (m *mangler) place() string {
	switch m.IntN(6) {
	case 0:
		return m.deeper(m.module, m.nominal)
	case 1:
		return m.deeper(m.module, m.extension)
	}
	return m.module()
}

func (m *mangler) extension() string {
	return m.nominal() + m.identifier() + m.maybe(3, m.signature) + "E"
}

// name is a plain one, one that is private to a file, or one of several in a function.
func (m *mangler) name() string {
	switch m.IntN(12) {
	case 0:
		return m.identifier() + m.identifier() + "LL"
	case 1:
		return m.identifier() + "L" + m.index()
	case 2:
		return m.identifier() + "Ll"
	}
	return m.identifier()
}

func (m *mangler) protocol() string {
	if m.in(3) {
		if text, ok := m.again('p'); ok {
			return text
		}
	}
	if m.in(2) {
		return m.one("SH", "SQ", "SE", "ST", "Sl", "SL", "ScI")
	}
	return m.note('p', m.module()+m.identifier()+"P")
}

func (m *mangler) primitive() string {
	return m.one("Si", "SS", "Sb", "Sd", "Su", "s5Int32V", "yt", "x", "q_", "q0_", "qd__", "Bi64_", "Bo", "Bp", "yp", "yXl")
}

func (m *mangler) typ() string {
	if m.in(5) {
		if text, ok := m.again('n', 't'); ok {
			return text
		}
	}
	switch m.IntN(9) {
	case 0, 1:
		return m.deeper(m.primitive, m.nominal)
	case 2:
		return m.deeper(m.primitive, m.bound)
	case 3:
		return m.deeper(m.primitive, func() string {
			return m.functionType() + m.one("c", "c", "XE", "XB", "XC", "XK", "XA", "Xf", "XL", "XU")
		})
	case 4:
		return m.deeper(m.primitive, m.marked)
	case 5:
		return m.deeper(m.primitive, m.existential)
	case 6:
		return m.deeper(m.primitive, m.associated)
	}
	return m.primitive()
}

// bound is a generic type with arguments, or an optional.
func (m *mangler) bound() string {
	switch m.IntN(4) {
	case 0:
		return m.note('t', m.typ()+"Sg")
	case 1:
		return m.note('t', "Say"+m.typ()+"G")
	case 2:
		return m.note('t', "SDy"+m.typ()+m.typ()+"G")
	}
	return m.note('t', m.nominal()+"y"+m.times(1, 2, m.typ)+"G")
}

// marked is a type with a mark behind it.
func (m *mangler) marked() string {
	switch m.IntN(4) {
	case 0:
		return m.tuple()
	case 1:
		return m.typ() + m.typ() + "Qp" // repeated, as often as the second one
	}
	return m.typ() + m.one("m", "m", "Xp", "XMt", "XMT", "XMo", "Xmt", "Xo", "Xu", "Xw", "Xb", "XSq", "XSa", "XSp", "Yi", "Yk", "Yt", "Yg", "Yu", "z", "n", "h")
}

func (m *mangler) tuple() string {
	out := m.element() + "_"
	return out + m.times(0, 3, m.element) + "t"
}

func (m *mangler) element() string {
	return m.typ() + m.maybe(3, m.identifier) + m.one("", "", "", "d")
}

// existential is any type that conforms to protocols, with or without a class.
func (m *mangler) existential() string {
	list := m.protocol() + "_" + m.times(0, 2, m.protocol)
	switch m.IntN(5) {
	case 0:
		return list + m.nominal() + "Xc"
	case 1:
		return list + "Xl"
	case 2:
		return list + "pXp"
	case 3:
		return list + "p" + m.typ() + m.one("Rsz_", "Rs__") + m.maybe(2, m.sameMember) + "XP"
	}
	return list + "p"
}

// sameMember requires that an associated type is a certain one.
func (m *mangler) sameMember() string { return m.typ() + m.identifier() + "Rtz" }

// associated is an associated type of a parameter, or of a type.
func (m *mangler) associated() string {
	of := m.maybe(2, m.nominal)
	member := m.identifier() + m.maybe(2, m.protocol)
	if m.in(3) {
		member += "_" + m.identifier()
		return m.note('t', of+member+m.letters(of, "QX", "QZ", "QY_"))
	}
	return m.note('t', of+member+m.letters(of, "Qx", "Qz", "Qy_", "Qyd__"))
}

// letters are those for a type that is there, or for a parameter.
func (m *mangler) letters(of, typ string, parameters ...string) string {
	if of != "" {
		return typ
	}
	return m.one(parameters...)
}

// functionType is the result, the parameters and what is said of a function, without
// the letter of its kind.
func (m *mangler) functionType() string {
	if m.in(2) {
		return "y" + m.parameters() + m.effects()
	}
	return m.typ() + m.parameters() + m.effects()
}

// parameters are none, one or a tuple.
func (m *mangler) parameters() string {
	switch m.IntN(4) {
	case 0:
		return "y"
	case 1:
		return m.typ()
	}
	return m.tuple()
}

func (m *mangler) effects() string {
	out := m.one("", "", "", "Ya") + m.one("", "", "", "Yb") + m.one("", "", "K")
	if m.in(8) {
		out = m.typ() + "YK"
	}
	if m.in(6) {
		out += m.one("Yjf", "Yjr", "Yjd", "Yjl")
	}
	if m.in(6) {
		out += m.one("YA", "YC")
	} else if m.in(8) {
		out += m.nominal() + "Yc"
	}
	return out + m.one("", "", "", "", "", "YT")
}

// signature has generic parameters and what is required of them.
func (m *mangler) signature() string {
	return m.times(0, 2, m.requirement) + m.one("l", "l", "r_l", "r0_l", "rzl", "r__l")
}

func (m *mangler) requirement() string {
	switch m.IntN(8) {
	case 0:
		return m.typ() + m.one("Rsz", "Rs_")
	case 1:
		return m.nominal() + m.one("Rbz", "Rb_")
	case 2:
		return m.typ() + m.identifier() + m.protocol() + m.one("Rtz", "Rt_")
	case 3:
		return m.protocol() + m.identifier() + "Rpz"
	case 4:
		return "Rlz" + m.one("C", "U", "R", "N", "D", "T", "B", "E8_4_", "e64_", "M16_8_", "m8_", "S4_")
	case 5:
		return m.one("Rvz", "Ri_z", "q_Rhz", "SiRVz")
	}
	return m.protocol() + m.one("Rz", "Rz", "R_")
}
