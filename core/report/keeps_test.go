package report

import (
	"reflect"
	"strings"
	"testing"
)

// theirs are the fields of rust-minidump's report with their types: "#" is an integer, "0x" a hex
// string, "~" a number with a point. A "?" stands behind a field that may be missing. Sources:
// json-schema.md of minidump-processor, and what minidump-stackwalk 0.27 writes for dumps of
// Windows, Linux, macOS and Android.
const theirs = `
status "" | pid # | process_uptime # | linux_memory_map_count # | thread_count # | main_module # | modules_contains_cert_info bool | mac_boot_args "" | soft_errors any
crash_info.type "" | crash_info.address 0x | crash_info.crashing_thread # | crash_info.assertion "" | crash_info.instruction "" | crash_info.crash_inconsistencies[] ""
crash_info.memory_accesses[].address 0x | crash_info.memory_accesses[].size # | crash_info.memory_accesses[].is_likely_guard_page? bool
crash_info.adjusted_address.kind "" | crash_info.adjusted_address.address? 0x | crash_info.adjusted_address.offset? 0x | crash_info.instruction_pointer_update.address 0x
crash_info.possible_bit_flips[].address 0x | crash_info.possible_bit_flips[].confidence ~ | crash_info.possible_bit_flips[].source_register ""
crash_info.possible_bit_flips[].details.was_non_canonical bool | crash_info.possible_bit_flips[].details.is_null bool | crash_info.possible_bit_flips[].details.was_low bool
crash_info.possible_bit_flips[].details.nearby_registers # | crash_info.possible_bit_flips[].details.poison_registers bool
system_info.os "" | system_info.os_ver "" | system_info.cpu_arch "" | system_info.cpu_info "" | system_info.cpu_count # | system_info.cpu_microcode_version ""
threads[].thread_name "" | threads[].thread_id # | threads[].last_error_value "" | threads[].frame_count #
threads[].frames[].frame # | threads[].frames[].trust "" | threads[].frames[].offset 0x | threads[].frames[].module "" | threads[].frames[].module_offset 0x
threads[].frames[].function "" | threads[].frames[].function_offset 0x | threads[].frames[].file "" | threads[].frames[].line # | threads[].frames[].missing_symbols bool
threads[].frames[].unloaded_modules[].module "" | threads[].frames[].unloaded_modules[].offsets[] 0x
threads[].frames[].inlines[].function "" | threads[].frames[].inlines[].file "" | threads[].frames[].inlines[].line #
crashing_thread?.threads_index # | crashing_thread?.thread_name "" | crashing_thread?.thread_id # | crashing_thread?.frame_count # | crashing_thread?.frames[].registers?.* 0x
modules[].base_addr 0x | modules[].end_addr 0x | modules[].filename "" | modules[].code_id "" | modules[].debug_file "" | modules[].debug_id "" | modules[].version ""
modules[].cert_subject "" | modules[].missing_symbols bool | modules[].loaded_symbols bool | modules[].corrupt_symbols bool | modules[].symbol_url ""
unloaded_modules[].base_addr 0x | unloaded_modules[].end_addr 0x | unloaded_modules[].filename "" | unloaded_modules[].code_id "" | unloaded_modules[].cert_subject ""
handles[].handle # | handles[].type_name "" | handles[].object_name ""
lsb_release.id "" | lsb_release.release "" | lsb_release.codename "" | lsb_release.description ""
proc_limits.limits[].name "" | proc_limits.limits[].soft any | proc_limits.limits[].hard any | proc_limits.limits[].unit ""
mac_crash_info.num_records # | mac_crash_info.records[].thread 0x | mac_crash_info.records[].dialog_mode 0x | mac_crash_info.records[].abort_cause 0x
mac_crash_info.records[].module "" | mac_crash_info.records[].message "" | mac_crash_info.records[].signature_string "" | mac_crash_info.records[].backtrace "" | mac_crash_info.records[].message2 ""
`

// Programs that read rust-minidump's reports read ours: every field has its name, place and type,
// and none of them is left out where theirs is null.
func TestKeepsTheFieldsOfRustMinidump(t *testing.T) {
	ours := map[string]string{}
	fieldsOf(reflect.TypeFor[Report](), "", ours)
	for _, line := range strings.Split(strings.TrimSpace(theirs), "\n") {
		for _, field := range strings.Split(line, " | ") {
			path, kind, _ := strings.Cut(field, " ")
			if got, ok := ours[path]; !ok || got != kind {
				t.Errorf("%s is %s, want %s", path, got, kind)
			}
		}
	}
}

// fieldsOf lists the leaves of a type, as "threads[].frames[].line".
func fieldsOf(t reflect.Type, path string, out map[string]string) {
	switch {
	case t == reflect.TypeFor[Address]():
		out[path] = "0x"
		return
	case t == reflect.TypeFor[Registers]():
		out[path+".*"] = "0x"
		return
	}
	switch k := t.Kind(); {
	case k == reflect.Pointer:
		fieldsOf(t.Elem(), path, out)
	case k == reflect.Slice:
		if strings.Count(path, "children") == 0 { // variables hold variables
			fieldsOf(t.Elem(), path+"[]", out)
		}
	case k == reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() {
				continue
			}
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case f.Anonymous:
				fieldsOf(f.Type, path, out)
				continue
			case options == "omitempty":
				name += "?"
			}
			fieldsOf(f.Type, strings.TrimPrefix(path+"."+name, "."), out)
		}
	default:
		out[path] = leaf(k)
	}
}

func leaf(k reflect.Kind) string {
	switch {
	case k == reflect.Bool:
		return "bool"
	case k == reflect.String:
		return `""`
	case k == reflect.Interface:
		return "any"
	case k == reflect.Float32 || k == reflect.Float64:
		return "~"
	}
	return "#"
}
