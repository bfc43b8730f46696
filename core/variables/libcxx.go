package variables

// libcxx are types of LLVM's C++ library, by its headers.
var libcxx = []known{}
