// A program that crashes six calls deep and writes a minidump of itself. Each
// function has another kind of prolog, and notes where it returns to, so that
// what a stack walk should find is known without one.
typedef unsigned long long u64;
typedef unsigned u32;
typedef void* HANDLE;
struct ExceptionPointers;
extern "C" {
__declspec(dllimport) HANDLE CreateFileA(const char*, u32, u32, void*, u32, u32, HANDLE);
__declspec(dllimport) int WriteFile(HANDLE, const void*, u32, u32*, void*);
__declspec(dllimport) HANDLE GetStdHandle(u32);
__declspec(dllimport) HANDLE GetCurrentProcess();
__declspec(dllimport) u32 GetCurrentProcessId();
__declspec(dllimport) u32 GetCurrentThreadId();
__declspec(dllimport) void* SetUnhandledExceptionFilter(void*);
__declspec(dllimport) HANDLE GetModuleHandleA(const char*);
__declspec(dllimport) void ExitProcess(u32);
__declspec(dllimport) int MiniDumpWriteDump(HANDLE, u32, HANDLE, u32, void*, void*, void*);
int _fltused;
}

static void* returns[8];
static int depth;
static volatile int* nowhere;
volatile int sink;
volatile double factor = 1.5;

#define NOTE (returns[depth++] = __builtin_return_address(0))
#define APART __attribute__((noinline))

static void print(u64 n) {
  char line[20];
  for (int i = 0; i < 16; i++) line[i] = "0123456789abcdef"[n >> (60 - 4 * i) & 15];
  line[16] = '\n';
  u32 written;
  WriteFile(GetStdHandle(-11), line, 17, &written, 0);
}

// Filter runs on the stack of the crash.
static int Filter(ExceptionPointers* e) {
  struct { u32 thread; ExceptionPointers* e; int client; } __attribute__((packed)) info = {GetCurrentThreadId(), e, 0};
  HANDLE file = CreateFileA(DUMP, 0x40000000, 0, 0, 2, 0, 0);
  MiniDumpWriteDump(GetCurrentProcess(), GetCurrentProcessId(), file, 0, &info, 0, 0);
  print((u64)GetModuleHandleA(0));
  while (depth > 0) print((u64)returns[--depth]);
  ExitProcess(0);
  return 1;
}

struct Account {
  int balance;
  int limit;
  inline int Withdraw(int n);
};

static inline void Check(int* where, int n) {
  if (n > 3)
    *nowhere = n; // here it crashes
  *where += n;
}

inline int Account::Withdraw(int n) {
  Check(&balance, n);
  return balance - limit;
}

// Leaf has two calls inlined.
APART int Leaf(Account* a, int n) {
  NOTE;
  return a->Withdraw(n) + 1;
}

// Pushes saves many registers.
APART int Pushes(Account* a, int n, int m, int o) {
  NOTE;
  int x = n * 3, y = m * 5, z = o * 7, v = n + m, w = m + o, u = n ^ o;
  x += Leaf(a, n + sink);
  sink += x;
  return x + y * z - v * w + u;
}

// Doubles saves xmm6 and more.
APART double Doubles(Account* a, double x, double y) {
  NOTE;
  double p = x * y, q = x - y, r = x + y * factor;
  int n = Pushes(a, 5, (int)x, (int)y);
  return n * p + q / r;
}

// Large has more locals than one byte of a code can say.
APART int Large(Account* a, int n) {
  NOTE;
  volatile char room[3000];
  room[n] = 1;
  return (int)Doubles(a, n, n + 1) + room[n + 1];
}

// Moving has a frame register, because its stack pointer moves.
APART int Moving(Account* a, int n) {
  NOTE;
  volatile char* room = (volatile char*)__builtin_alloca(n);
  room[n / 2] = 1;
  return Large(a, n / 8) + room[0];
}

template <class T> struct Shape {
  T side;
  virtual T Area(Account* a, T by);
};

template <class T> APART T Shape<T>::Area(Account* a, T by) {
  NOTE;
  return side * by + Moving(a, 64);
}

extern "C" void Start() {
  NOTE;
  SetUnhandledExceptionFilter((void*)Filter);
  Account account = {10, 3};
  Shape<int> square;
  square.side = 3;
  Shape<int>* volatile shape = &square;
  sink += shape->Area(&account, 4);
  ExitProcess(sink);
}
