package crash

import "fmt"

// results are the HRESULTs of .NET's exceptions.
// Source: src/coreclr/inc/corerror.xml and HResults.cs of dotnet/runtime.
var results = names{
	{0x8000_4001, "System.NotImplementedException"}, {0x8000_4002, "System.InvalidCastException"},
	{0x8000_4003, "System.NullReferenceException"}, {0x8002_0012, "System.DivideByZeroException"},
	{0x8007_0002, "System.IO.FileNotFoundException"}, {0x8007_0005, "System.UnauthorizedAccessException"},
	{0x8007_000e, "System.OutOfMemoryException"}, {0x8007_0057, "System.ArgumentException"},
	{0x8007_03e9, "System.StackOverflowException"},
	{0x8013_1500, "System.Exception"}, {0x8013_1501, "System.SystemException"}, {0x8013_1502, "System.ArgumentOutOfRangeException"},
	{0x8013_1505, "System.TimeoutException"}, {0x8013_1506, "System.ExecutionEngineException"},
	{0x8013_1508, "System.IndexOutOfRangeException"}, {0x8013_1509, "System.InvalidOperationException"},
	{0x8013_150a, "System.Security.SecurityException"}, {0x8013_1515, "System.NotSupportedException"},
	{0x8013_1516, "System.OverflowException"}, {0x8013_1522, "System.TypeLoadException"},
	{0x8013_1534, "System.TypeInitializationException"}, {0x8013_1537, "System.FormatException"},
	{0x8013_153b, "System.OperationCanceledException"}, {0x8013_1577, "System.Collections.Generic.KeyNotFoundException"},
	{0x8013_1604, "System.Reflection.TargetInvocationException"}, {0x8013_1620, "System.IO.IOException"},
	{0x8013_1622, "System.ObjectDisposedException"}, {0x8013_1623, "System.Environment.FailFast"},
}

// resultName names a .NET exception by its first parameter, which is its HRESULT.
func (s *facts) resultName() string {
	e := s.in.Exception
	if !s.in.OS.IsWindows() || e.Code != clrException || len(e.Params) == 0 {
		return ""
	}
	code := uint32(e.Params[0])
	if name := results.of(code); name != "" {
		return fmt.Sprintf("It is a %s (HRESULT 0x%08x), or derived from it.", name, code)
	}
	return fmt.Sprintf("Its HRESULT is 0x%08x.", code)
}
