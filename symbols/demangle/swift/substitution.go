package swift

import "strings"

// maxRepeat bounds how often one operator may push a node, in Swift, too.
const maxRepeat = 2048

// substitutions reads letters that stand for nodes, the last of them a capital,
// each with a number before it of how often it is meant; or one number alone.
//
//	AC is the third node, A2C twice, AcE the third and the fifth, A0_ the 28th
//
// Source: Mangling.rst, substitutions.
func (p *parser) substitutions() *node {
	repeat := -1
	for {
		c := p.next()
		switch {
		case isLower(c):
			n := p.repeated(repeat, int(c-'a'))
			if n == nil || p.exceeded {
				return nil
			}
			p.push(n)
			repeat = -1
		case isUpper(c):
			return p.repeated(repeat, int(c-'A'))
		case c == '_':
			return p.substitution(repeat + 27)
		case c == 0:
			return nil
		default:
			p.pos--
			if repeat = p.natural(); repeat < 0 {
				return nil
			}
		}
	}
}

// substitution is a node by its index, nil where there are not that many.
func (p *parser) substitution(i int) *node {
	if i < 0 || i >= len(p.subs) {
		return nil
	}
	return p.subs[i]
}

// repeated pushes a node all times but the last.
func (p *parser) repeated(times, i int) *node {
	n := p.substitution(i)
	if n == nil || times > maxRepeat {
		return nil
	}
	for ; times > 1; times-- {
		p.push(n)
	}
	return n
}

// standardTypes are those of Swift's library that have a letter, by kind and
// letter: lib StandardTypesMangling.def. Those of concurrency have a c before
// it.
var standardTypes = [kTuple]string{
	kStruct: "A AutoreleasingUnsafeMutablePointer a Array b Bool D Dictionary d Double f Float h Set I DefaultIndices i Int J Character " +
		"N ClosedRange n Range O ObjectIdentifier P UnsafePointer p UnsafeMutablePointer R UnsafeBufferPointer " +
		"r UnsafeMutableBufferPointer S String s Substring u UInt V UnsafeRawPointer v UnsafeMutableRawPointer " +
		"W UnsafeRawBufferPointer w UnsafeMutableRawBufferPointer " +
		"cC CheckedContinuation cc UnsafeContinuation cE CancellationError ce UnownedSerialExecutor cG TaskGroup " +
		"cg ThrowingTaskGroup cJ UnownedJob cP TaskPriority cS AsyncStream cs AsyncThrowingStream cT Task ct UnsafeCurrentTask",
	kEnum: "q Optional",
	kProtocol: "B BinaryFloatingPoint E Encodable e Decodable F FloatingPoint G RandomNumberGenerator H Hashable j Numeric " +
		"K BidirectionalCollection k RandomAccessCollection L Comparable l Collection M MutableCollection " +
		"m RangeReplaceableCollection Q Equatable T Sequence t IteratorProtocol U UnsignedInteger X RangeExpression " +
		"x Strideable Y RawRepresentable y StringProtocol Z SignedInteger z BinaryInteger " +
		"cA Actor cF Executor cf SerialExecutor ch TaskExecutor cI AsyncIteratorProtocol ci AsyncSequence",
	kClass: "cM MainActor",
}

// A standardType is one of them.
type standardType struct {
	kind kind
	name string
}

var standardByCode = map[string]standardType{}

func init() {
	for k, list := range standardTypes {
		words := strings.Fields(list)
		for i := 0; i < len(words); i += 2 {
			standardByCode[words[i]] = standardType{kind(k), words[i+1]}
		}
	}
}

// standard reads what follows an S.
// So is what C declares, Sg makes an optional, and the others are types, S2i is Int twice.
func (p *parser) standard() *node {
	switch {
	case p.take('o'), p.take('C'):
		return &node{kind: kModule, text: "__C"}
	case p.take('g'):
		list := with(kTypeList, p.pop(kType))
		return p.substitute(typeOf(with(kBound, swiftType(kEnum, "Optional"), list)))
	}
	times := -1
	if isDigit(p.peek()) {
		if times = p.natural(); times < 0 || times > maxRepeat {
			return nil
		}
	}
	code := string(p.next())
	if code == "c" {
		code += string(p.next())
	}
	t, ok := standardByCode[code]
	if !ok {
		return nil
	}
	n := swiftType(t.kind, t.name)
	for ; times > 1; times-- {
		p.push(n)
	}
	return n
}

// swiftType is a type of Swift's library. It is not known to substitutions.
func swiftType(k kind, name string) *node {
	return typeOf(with(k, &node{kind: kModule, text: "Swift"}, &node{kind: kIdentifier, text: name}))
}
