package sanitize

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// foreignTexts are texts beyond ASCII, and texts that share a word with a number.
var foreignTexts = map[string]string{
	"Russian":              "Пароль секретный, диагноз Алисы Ивановой: здорова",
	"Russian, UTF-16":      wide("Пароль секретный, диагноз Алисы"),
	"Chinese":              "密码机密病历爱丽丝诊断结果很长的句子",
	"Chinese, UTF-16":      wide("密码机密病历爱丽丝诊断结果很长的句子文本内容"),
	"Korean, UTF-16":       wide("비밀번호내용환자기록진단결과서문장"),
	"German":               "Größe: ÄÖÜ, Zürich-Müller schläft über Bären, öde",
	"Greek":                "Μυστικό κωδικός ασθενή, διάγνωση",
	"Hebrew":               "הסיסמה הסודית שלי היא ארוכה",
	"wchar_t of Unix":      "P\x00\x00\x00a\x00\x00\x00s\x00\x00\x00s\x00\x00\x00w\x00\x00\x00o\x00\x00\x00r\x00\x00\x00d\x00\x00\x00",
	"a PIN, then a number": "4711\x05\x00\x00\x008822\x06\x00\x00\x006655\x07\x00\x00\x007144\x08\x00\x00\x00",
	"a number, then a PIN": "\x05\x00\x00\x004711\x06\x00\x00\x008822\x07\x00\x00\x006655\x08\x00\x00\x007144",
	"a card's number":      "\x00\x00\x00\x005105105105105100\xff\xff\xff\xff",
}

// isField reports whether a text is one only in words that begin where it does.
func isField(what string) bool { return strings.HasPrefix(what, "a ") || what == "wchar_t of Unix" }

// A text of any script is masked in registers, in registers that functions saved, and as the address of the
// crash. So is a short text beside a number.
func TestTextsOfAllScripts(t *testing.T) {
	for _, name := range []string{"amd64", "arm64", "mips64", "riscv64"} {
		c := everyCPU[name]
		for what, text := range foreignTexts {
			for _, at := range []int{0, 2, 3} {
				if at > 0 && isField(what) || at == 3 && strings.HasSuffix(what, "UTF-16") {
					continue
				}
				words := (text + text + text)[at:]
				data := textsInRegisters(t, c.layout, words)
				r, err := Clean(open(t, data), textSymbols{c.layout.Arch}, Options{})
				if err != nil {
					t.Fatal(err)
				}
				for _, left := range wordsLeft(r.Data, words) {
					t.Errorf("%s, %s: %q is still there", name, what, left)
				}
				if len(r.Changed) > 0 && !strings.HasPrefix(r.Changed[0], "what happened") && name == "amd64" {
					t.Errorf("%s, %s: %q", name, what, r.Changed)
				}
			}
		}
	}
}

// textsInRegisters is a dump whose registers have a text, word by word, and whose first function saved
// registers with the same text.
func textsInRegisters(t testing.TB, layout *cpu.Layout, text string) []byte {
	const word = 8
	at := func(i int) uint64 { return binary.LittleEndian.Uint64([]byte(text)[i*word%(len(text)&^(word-1)):]) }
	stack := make([]byte, 0x1000)
	copy(stack[0x100:], text[:min(len(text), (textFrames-1)*word)])
	binary.LittleEndian.PutUint64(stack[0x100+(textFrames-1)*word:], appBase+0x150)
	var regs cpu.Regs
	for i := range layout.Arch.Regs {
		regs.Set(cpu.Reg(i), at(i))
	}
	regs.Set(layout.Arch.SP, stackBase+0x100)
	regs.Set(layout.Arch.PC, appBase+0x50)
	ctx := layout.Encode(&regs, 0, binary.LittleEndian)
	processor := map[*cpu.Layout]uint16{}
	for _, c := range everyCPU {
		processor[c.layout] = c.processor
	}
	b := dump.New().System(processor[layout], dump.Linux, "")
	b.Module(dump.Module{Base: appBase, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3)})
	b.Stream(0x47670009, asm.At(0).Text(fmt.Sprintf("%x-%x r-xp 0 00:00 0 /opt/app\n%x-%x rw-p 0 00:00 0 [stack]\n", appBase, appBase+0x1000, stackBase, stackBase+0x1000)))
	b.Thread(dump.Thread{ID: 1, StackBase: stackBase, Stack: stack, Context: ctx})
	b.Exception(dump.Exception{Thread: 1, Code: 11, Flags: 1, Address: at(0), Context: ctx})
	return b.Build(t)
}

// wordsLeft returns the words of a text that data still has.
func wordsLeft(data []byte, text string) (out []string) {
	for at := 0; at+8 <= len(text); at += 8 {
		if word := text[at : at+8]; bytes.Contains(data, []byte(word)) {
			out = append(out, word)
		}
	}
	return out
}

// Numbers that programs have are no text: addresses near to mapped memory, patterns that fill memory, small
// and negative numbers, and floating-point numbers.
func TestNumbersAreNoText(t *testing.T) {
	mapped := pieces{{0x40_0000, 0x41_0000}, {0x5555_5540_0000, 0x5555_5560_0000}, {0x7f28_b7fb_0000, 0x7f28_b7fc_0000}}
	r := wordReader{size: 8, order: binary.LittleEndian, isMapped: func(first, last uint64) bool {
		i := mapped.after(first)
		return i < len(mapped) && mapped[i].base <= last
	}}
	for _, v := range []uint64{
		0, 1, 75, 0x1_0000_0002, 0xffff_ffff_ffff_fe00, 0x3ff0_0000_0000_0000, 0x4059_0000_0000_0000, 0x5555_5575_4adc, 0x7f28_b7fb_b6d0, 0x7f28_9a4a_4b4c,
		0xcdcd_cdcd_cdcd_cdcd, 0xdddd_dddd_dddd_dddd, 0xcccc_cccc_cccc_cccc, 0xfeee_feee_feee_feee, 0xbaad_f00d_baad_f00d, 0xabab_abab_abab_abab, 0xa5a5_a5a5_a5a5_a5a5,
	} {
		if r.hasText(v, 8) {
			t.Errorf("%#x is text", v)
		}
	}
	r.size = 4
	for _, v := range []uint64{0x8a90_52ac, 0x0505_0505, 0x9fb4_e198, 0x003d_0f00, 0xcdcd_cdcd, 0xfeee_feee, 0xffff_fff0, 0xcccc_cccc} {
		if r.hasText(v, 4) {
			t.Errorf("%#x is text", v)
		}
	}
}

// No text stays at a program counter that is in no module, whatever its script.
func TestTextAtProgramCounter(t *testing.T) {
	for what, text := range foreignTexts {
		for _, protection := range []string{"r-xp", "rwxp"} {
			if isField(what) {
				continue // instructions have such bytes
			}
			r, err := Clean(open(t, jumpedNear(t, text, protection, false, true)), nil, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for at := 0; at+6 <= len(text); at++ {
				if bytes.Contains(r.Data, []byte(text[at:at+6])) {
					t.Errorf("%s, %s: %q is still there", what, protection, text[at:at+6])
				}
			}
			m, _ := streams(t, open(t, r.Data)).Memory()
			if v, _ := m.Word(appBase+0x1800, 1); v != 0x48 && what != "Chinese, UTF-16" { // 0x8948 is an ideograph, too
				t.Errorf("%s, %s: the instruction is gone", what, protection)
			}
		}
	}
}
