package crash

// javaSigns are the functions with which virtual machines of Java and Android end. Sources: HotSpot
// src/hotspot/share/utilities/vmError.cpp and debug.cpp, ART runtime/runtime.cc.
var javaSigns = []sign{
	{"VMError::report_and_die*", Asserted, "Fatal error of the Java virtual machine", "HotSpot found an error; its report is in the file hs_err_pid*.log."},
	{"report_vm_error*", Asserted, "Fatal error of the Java virtual machine", "HotSpot found an error; its report is in the file hs_err_pid*.log."},
	{"art::Runtime::Abort*", Asserted, "Fatal error of the Android runtime", "ART aborted; its message is in the log."},
	{"art::JavaVMExt::JniAbort*", Asserted, "Wrong use of JNI", "ART's check of JNI found a mistake; its message is in the log."},
}
